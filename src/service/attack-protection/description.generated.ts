// Generated from src/kinds/attack-protection/kind.yaml by npm run generate.
import { notOnTenant } from '../../contract/operation-rows.ts';
import type { Fields } from '../../model/field.ts';
import type { KindDescription, ResourceOperations } from '../../model/resource.ts';
import { head } from './head.generated.ts';
import { shapes } from './shapes.generated.ts';

export const fields: Fields = {};

export const operations = {} satisfies ResourceOperations;

export const description = {
  ...head,
  "section": shapes.section,
  "at": "group",
  "key": [],
  "id": "id",
  "resources": {
    "brute_force_protection": {
      "at": "single",
      "noun": {
        "one": "brute force protection",
        "many": "brute force protection"
      },
      "key": [],
      "id": "id",
      "fields": {
        "enabled": {
          "login": {
            "weaker": false
          }
        },
        "shields": {
          "login": {
            "weaker": "fewer"
          },
          "list": "set",
          "items": {
            "values": [
              "block",
              "user_notification"
            ]
          }
        },
        "allowlist": {
          "login": {
            "weaker": "more"
          },
          "list": "set",
          "items": {}
        },
        "mode": {
          "values": [
            "count_per_identifier_and_ip",
            "count_per_identifier"
          ],
          "login": {
            "order": [
              "count_per_identifier_and_ip",
              "count_per_identifier"
            ]
          }
        },
        "max_attempts": {
          "login": {
            "weaker": "higher"
          }
        }
      },
      "operations": {
        "get": {
          "id": "get_brute_force_protection",
          "api": "full",
          "method": "GET",
          "path": "/attack-protection/brute-force-protection",
          "summary": "Get brute force protection",
          "scope": "read:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9",
            "assumed": []
          },
          "response": shapes.bruteForceProtectionLive,
          "lacking": [
            ...notOnTenant
          ]
        },
        "update": {
          "id": "update_brute_force_protection",
          "api": "full",
          "method": "PATCH",
          "path": "/attack-protection/brute-force-protection",
          "summary": "Update brute force protection",
          "scope": "update:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9",
            "assumed": []
          },
          "body": {
            ...shapes.bruteForceProtectionUpdateBody,
            "encodings": [
              "application/json"
            ],
            "integers": [
              "/max_attempts"
            ]
          },
          "response": shapes.bruteForceProtectionLive
        }
      },
      "resources": {}
    },
    "suspicious_ip_throttling": {
      "at": "single",
      "noun": {
        "one": "suspicious ip throttling",
        "many": "suspicious ip throttling"
      },
      "key": [],
      "id": "id",
      "fields": {
        "enabled": {
          "login": {
            "weaker": false
          }
        },
        "shields": {
          "login": {
            "weaker": "fewer"
          },
          "list": "set",
          "items": {
            "values": [
              "block",
              "admin_notification"
            ]
          }
        },
        "allowlist": {
          "login": {
            "weaker": "more"
          },
          "list": "set",
          "items": {}
        },
        "stage": {
          "fields": {
            "pre-login": {
              "fields": {
                "max_attempts": {
                  "login": {
                    "weaker": "higher"
                  }
                },
                "rate": {
                  "login": {
                    "weaker": "lower"
                  }
                }
              }
            },
            "pre-user-registration": {
              "fields": {
                "max_attempts": {
                  "login": {
                    "weaker": "higher"
                  }
                },
                "rate": {
                  "login": {
                    "weaker": "lower"
                  }
                }
              }
            },
            "pre-custom-token-exchange": {
              "fields": {
                "max_attempts": {
                  "login": {
                    "weaker": "higher"
                  }
                },
                "rate": {
                  "login": {
                    "weaker": "lower"
                  }
                }
              }
            }
          }
        }
      },
      "operations": {
        "get": {
          "id": "get_suspicious_ip_throttling",
          "api": "full",
          "method": "GET",
          "path": "/attack-protection/suspicious-ip-throttling",
          "summary": "Get suspicious ip throttling",
          "scope": "read:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9",
            "assumed": []
          },
          "response": shapes.suspiciousIpThrottlingLive,
          "lacking": [
            ...notOnTenant
          ]
        },
        "update": {
          "id": "update_suspicious_ip_throttling",
          "api": "full",
          "method": "PATCH",
          "path": "/attack-protection/suspicious-ip-throttling",
          "summary": "Update suspicious ip throttling",
          "scope": "update:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9",
            "assumed": []
          },
          "body": {
            ...shapes.suspiciousIpThrottlingUpdateBody,
            "encodings": [
              "application/json"
            ],
            "integers": [
              "/stage/pre-login/max_attempts",
              "/stage/pre-login/rate",
              "/stage/pre-user-registration/max_attempts",
              "/stage/pre-user-registration/rate",
              "/stage/pre-custom-token-exchange/max_attempts",
              "/stage/pre-custom-token-exchange/rate"
            ]
          },
          "response": shapes.suspiciousIpThrottlingLive
        }
      },
      "resources": {}
    },
    "breached_password_detection": {
      "at": "single",
      "noun": {
        "one": "breached password detection",
        "many": "breached password detection"
      },
      "key": [],
      "id": "id",
      "fields": {
        "enabled": {
          "login": {
            "weaker": false
          }
        },
        "shields": {
          "login": {
            "weaker": "fewer"
          },
          "list": "set",
          "items": {
            "values": [
              "block",
              "user_notification",
              "admin_notification"
            ]
          }
        },
        "admin_notification_frequency": {
          "filled": [],
          "list": "set",
          "items": {
            "values": [
              "immediately",
              "daily",
              "weekly",
              "monthly"
            ]
          }
        },
        "method": {
          "values": [
            "standard",
            "enhanced"
          ],
          "login": {
            "order": [
              "standard",
              "enhanced"
            ]
          }
        },
        "stage": {
          "fields": {
            "pre-user-registration": {
              "fields": {
                "shields": {
                  "login": {
                    "weaker": "fewer"
                  },
                  "list": "set",
                  "items": {
                    "values": [
                      "block",
                      "admin_notification"
                    ]
                  }
                }
              }
            },
            "pre-change-password": {
              "fields": {
                "shields": {
                  "login": {
                    "weaker": "fewer"
                  },
                  "list": "set",
                  "items": {
                    "values": [
                      "block",
                      "admin_notification"
                    ]
                  }
                }
              }
            }
          }
        }
      },
      "operations": {
        "get": {
          "id": "get_breached_password_detection",
          "api": "full",
          "method": "GET",
          "path": "/attack-protection/breached-password-detection",
          "summary": "Get breached password detection",
          "scope": "read:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9",
            "assumed": []
          },
          "response": shapes.breachedPasswordDetectionLive,
          "lacking": [
            ...notOnTenant
          ]
        },
        "update": {
          "id": "update_breached_password_detection",
          "api": "full",
          "method": "PATCH",
          "path": "/attack-protection/breached-password-detection",
          "summary": "Update breached password detection",
          "scope": "update:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9",
            "assumed": []
          },
          "body": {
            ...shapes.breachedPasswordDetectionUpdateBody,
            "encodings": [
              "application/json"
            ]
          },
          "response": shapes.breachedPasswordDetectionLive
        }
      },
      "resources": {}
    },
    "bot_detection": {
      "at": "single",
      "noun": {
        "one": "bot detection",
        "many": "bot detection"
      },
      "key": [],
      "id": "id",
      "fields": {
        "bot_detection_level": {
          "values": [
            "low",
            "medium",
            "high"
          ],
          "login": {
            "order": [
              "low",
              "medium",
              "high"
            ]
          }
        },
        "challenge_password_policy": {
          "values": [
            "never",
            "when_risky",
            "always"
          ],
          "login": {
            "order": [
              "never",
              "when_risky",
              "always"
            ]
          }
        },
        "challenge_passwordless_policy": {
          "values": [
            "never",
            "when_risky",
            "always"
          ],
          "login": {
            "order": [
              "never",
              "when_risky",
              "always"
            ]
          }
        },
        "challenge_password_reset_policy": {
          "values": [
            "never",
            "when_risky",
            "always"
          ],
          "login": {
            "order": [
              "never",
              "when_risky",
              "always"
            ]
          }
        },
        "allowlist": {
          "login": {
            "weaker": "more"
          },
          "list": "set",
          "items": {}
        },
        "monitoring_mode_enabled": {
          "login": {
            "weaker": true
          }
        }
      },
      "operations": {
        "get": {
          "id": "get_bot_detection",
          "api": "full",
          "method": "GET",
          "path": "/attack-protection/bot-detection",
          "summary": "Get bot detection",
          "scope": "read:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9",
            "assumed": []
          },
          "response": shapes.botDetectionLive,
          "lacking": [
            ...notOnTenant
          ]
        },
        "update": {
          "id": "update_bot_detection",
          "api": "full",
          "method": "PATCH",
          "path": "/attack-protection/bot-detection",
          "summary": "Update bot detection",
          "scope": "update:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9",
            "assumed": []
          },
          "body": {
            ...shapes.botDetectionUpdateBody,
            "encodings": [
              "application/json"
            ]
          },
          "response": shapes.botDetectionLive
        }
      },
      "resources": {}
    },
    "captcha": {
      "at": "single",
      "noun": {
        "one": "captcha",
        "many": "captcha"
      },
      "key": [],
      "id": "id",
      "fields": {
        "active_provider_id": {
          "values": [
            "arkose",
            "auth_challenge",
            "friendly_captcha",
            "hcaptcha",
            "recaptcha_v2",
            "recaptcha_enterprise",
            "simple_captcha"
          ],
          "login": {}
        },
        "arkose": {
          "fields": {
            "site_key": {
              "required": true,
              "filled": "",
              "omitted": "refused"
            },
            "secret": {
              "required": true,
              "sides": "U",
              "secret": "hidden",
              "omitted": "refused"
            },
            "client_subdomain": {
              "filled": "client-api"
            },
            "verify_subdomain": {
              "filled": "verify-api"
            },
            "fail_open": {
              "login": {
                "weaker": true
              }
            }
          }
        },
        "auth_challenge": {
          "fields": {
            "fail_open": {
              "required": true,
              "omitted": "refused",
              "login": {
                "weaker": true
              }
            }
          }
        },
        "hcaptcha": {
          "fields": {
            "site_key": {
              "required": true,
              "filled": "",
              "omitted": "refused"
            },
            "secret": {
              "required": true,
              "sides": "U",
              "secret": "hidden",
              "omitted": "refused"
            }
          }
        },
        "friendly_captcha": {
          "fields": {
            "site_key": {
              "required": true,
              "filled": "",
              "omitted": "refused"
            },
            "secret": {
              "required": true,
              "sides": "U",
              "secret": "hidden",
              "omitted": "refused"
            }
          }
        },
        "recaptcha_v2": {
          "fields": {
            "site_key": {
              "required": true,
              "filled": "",
              "omitted": "refused"
            },
            "secret": {
              "required": true,
              "sides": "U",
              "secret": "hidden",
              "omitted": "refused"
            }
          }
        },
        "recaptcha_enterprise": {
          "fields": {
            "site_key": {
              "required": true,
              "filled": "",
              "omitted": "refused"
            },
            "api_key": {
              "required": true,
              "sides": "U",
              "secret": "hidden",
              "omitted": "refused"
            },
            "project_id": {
              "required": true,
              "filled": "",
              "omitted": "refused"
            }
          }
        }
      },
      "operations": {
        "get": {
          "id": "get_captcha",
          "api": "full",
          "method": "GET",
          "path": "/attack-protection/captcha",
          "summary": "Get captcha",
          "scope": "read:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9",
            "assumed": []
          },
          "response": shapes.captchaLive,
          "lacking": [
            ...notOnTenant
          ]
        },
        "update": {
          "id": "update_captcha",
          "api": "full",
          "method": "PATCH",
          "path": "/attack-protection/captcha",
          "summary": "Update captcha",
          "scope": "update:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9",
            "assumed": []
          },
          "body": {
            ...shapes.captchaUpdateBody,
            "encodings": [
              "application/json"
            ]
          },
          "response": shapes.captchaLive
        }
      },
      "resources": {}
    },
    "phone_provider_protection": {
      "at": "single",
      "noun": {
        "one": "phone provider protection",
        "many": "phone provider protection"
      },
      "key": [],
      "id": "id",
      "fields": {
        "type": {
          "required": true,
          "values": [
            "exponential",
            "default"
          ],
          "login": {}
        }
      },
      "operations": {
        "get": {
          "id": "get_phone_provider_protection",
          "api": "full",
          "method": "GET",
          "path": "/attack-protection/phone-provider-protection",
          "summary": "Get phone provider protection",
          "scope": "read:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9.7",
            "assumed": [
              "success status"
            ]
          },
          "response": shapes.phoneProviderProtectionLive,
          "lacking": [
            ...notOnTenant
          ]
        },
        "update": {
          "id": "update_phone_provider_protection",
          "api": "full",
          "method": "PATCH",
          "path": "/attack-protection/phone-provider-protection",
          "summary": "Update phone provider protection",
          "scope": "update:attack_protection",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "9.7",
            "assumed": [
              "success status"
            ]
          },
          "body": {
            ...shapes.phoneProviderProtectionUpdateBody,
            "encodings": [
              "application/json"
            ]
          },
          "response": shapes.phoneProviderProtectionLive
        }
      },
      "resources": {}
    }
  },
  "fields": fields,
  "operations": operations
} satisfies KindDescription;
