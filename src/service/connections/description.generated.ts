// Generated from src/kinds/connections/kind.yaml by npm run generate.
import { notOnTenant } from '../../contract/operation-rows.ts';
import type { Fields } from '../../model/field.ts';
import type { KindDescription, ResourceOperations } from '../../model/resource.ts';
import { head } from './head.generated.ts';
import { shapes } from './shapes.generated.ts';

export const fields: Fields = {
  "name": {
    "required": true,
    "identity": true
  },
  "strategy": {
    "required": true,
    "sides": "CR",
    "summary": true,
    "values": [
      "ad",
      "adfs",
      "amazon",
      "apple",
      "dropbox",
      "bitbucket",
      "auth0-oidc",
      "auth0",
      "baidu",
      "bitly",
      "box",
      "custom",
      "daccount",
      "dwolla",
      "email",
      "evernote-sandbox",
      "evernote",
      "exact",
      "facebook",
      "fitbit",
      "github",
      "google-apps",
      "google-oauth2",
      "instagram",
      "ip",
      "line",
      "linkedin",
      "oauth1",
      "oauth2",
      "office365",
      "oidc",
      "okta",
      "paypal",
      "paypal-sandbox",
      "pingfederate",
      "planningcenter",
      "salesforce-community",
      "salesforce-sandbox",
      "salesforce",
      "samlp",
      "sharepoint",
      "shopify",
      "shop",
      "sms",
      "soundcloud",
      "thirtysevensignals",
      "twitter",
      "untappd",
      "vkontakte",
      "waad",
      "weibo",
      "windowslive",
      "wordpress",
      "yahoo",
      "yandex",
      "notion-mcp",
      "asana",
      "atlassian",
      "cloudflare-mcp",
      "gitlab",
      "hubspot-mcp",
      "linear-mcp",
      "sentry-mcp",
      "slack"
    ]
  },
  "display_name": {
    "filled": "$name",
    "omitted": "lost"
  },
  "is_domain_connection": {
    "login": {
      "weaker": true
    }
  },
  "show_as_button": {
    "filled": false
  },
  "realms": {
    "filled": [
      "$name"
    ],
    "list": "set",
    "items": {}
  },
  "metadata": {
    "replace": true,
    "map": {}
  },
  "authentication": {
    "replace": true,
    "fields": {
      "active": {
        "required": true,
        "omitted": "refused",
        "login": {}
      }
    }
  },
  "connected_accounts": {
    "replace": true,
    "fields": {
      "active": {
        "required": true,
        "filled": false,
        "omitted": "refused"
      },
      "cross_app_access": {},
      "allow_missing_user_id": {}
    }
  },
  "cross_app_access_requesting_app": {
    "replace": true,
    "fields": {
      "active": {
        "required": true,
        "omitted": "refused"
      }
    }
  },
  "cross_app_access_resource_app": {
    "nullable": true,
    "replace": true,
    "fields": {
      "status": {
        "required": true,
        "omitted": "refused",
        "values": [
          "enabled",
          "disabled"
        ]
      }
    }
  },
  "options": {
    "nullable": true,
    "replace": true,
    "forms": {
      "by": "strategy",
      "beside": true,
      "of": {
        "auth0": {
          "attributes": {
            "without": [
              "requires_username",
              "validation"
            ],
            "fields": {
              "email": {
                "fields": {
                  "identifier": {
                    "fields": {
                      "active": {
                        "login": {}
                      },
                      "default_method": {
                        "values": [
                          "password",
                          "email_otp"
                        ]
                      }
                    }
                  },
                  "unique": {
                    "login": {
                      "weaker": false
                    }
                  },
                  "profile_required": {},
                  "verification_method": {
                    "values": [
                      "link",
                      "otp"
                    ]
                  },
                  "signup": {
                    "fields": {
                      "status": {
                        "values": [
                          "required",
                          "optional",
                          "inactive"
                        ]
                      },
                      "verification": {
                        "fields": {
                          "active": {
                            "login": {
                              "weaker": false
                            }
                          }
                        }
                      }
                    }
                  }
                }
              },
              "phone_number": {
                "fields": {
                  "identifier": {
                    "fields": {
                      "active": {
                        "login": {}
                      },
                      "default_method": {
                        "values": [
                          "password",
                          "phone_otp"
                        ]
                      }
                    }
                  },
                  "profile_required": {},
                  "signup": {
                    "fields": {
                      "status": {
                        "values": [
                          "required",
                          "optional",
                          "inactive"
                        ]
                      },
                      "verification": {
                        "fields": {
                          "active": {
                            "login": {
                              "weaker": false
                            }
                          }
                        }
                      }
                    }
                  }
                }
              },
              "username": {
                "fields": {
                  "identifier": {
                    "fields": {
                      "active": {
                        "login": {}
                      }
                    }
                  },
                  "profile_required": {},
                  "signup": {
                    "fields": {
                      "status": {
                        "values": [
                          "required",
                          "optional",
                          "inactive"
                        ]
                      }
                    }
                  },
                  "validation": {
                    "fields": {
                      "min_length": {},
                      "max_length": {},
                      "allowed_types": {
                        "fields": {
                          "email": {},
                          "phone_number": {}
                        }
                      }
                    }
                  }
                }
              }
            }
          },
          "authentication_methods": {
            "omitted": "kept",
            "nullable": true,
            "replace": true,
            "fields": {
              "password": {
                "fields": {
                  "enabled": {
                    "login": {}
                  },
                  "api_behavior": {
                    "none": "required",
                    "values": [
                      "required",
                      "optional"
                    ]
                  },
                  "signup_behavior": {
                    "none": "allow",
                    "values": [
                      "allow",
                      "block"
                    ]
                  }
                }
              },
              "passkey": {
                "fields": {
                  "enabled": {
                    "login": {}
                  }
                }
              },
              "email_otp": {
                "fields": {
                  "enabled": {
                    "login": {}
                  }
                }
              },
              "phone_otp": {
                "fields": {
                  "enabled": {
                    "login": {}
                  }
                }
              }
            }
          },
          "brute_force_protection": {
            "login": {
              "weaker": false
            }
          },
          "configuration": {
            "map": {
              "secret": "changed"
            }
          },
          "custom_password_hash": {
            "fields": {
              "action_id": {}
            }
          },
          "customScripts": {
            "fields": {
              "login": {
                "file": "js",
                "script": true
              },
              "get_user": {
                "file": "js",
                "script": true
              },
              "create": {
                "file": "js",
                "script": true
              },
              "verify": {
                "file": "js",
                "script": true
              },
              "delete": {
                "file": "js",
                "script": true
              },
              "change_password": {
                "file": "js",
                "script": true
              },
              "change_email": {
                "file": "js",
                "script": true
              },
              "change_username": {
                "file": "js",
                "script": true
              },
              "change_phone_number": {
                "file": "js",
                "script": true
              }
            }
          },
          "disable_self_service_change_password": {},
          "disable_signup": {
            "login": {
              "weaker": false
            }
          },
          "enable_script_context": {},
          "enabledDatabaseCustomization": {
            "login": {}
          },
          "import_mode": {
            "login": {}
          },
          "mfa": {
            "fields": {
              "active": {
                "login": {
                  "weaker": false
                }
              },
              "return_enroll_settings": {
                "filled": true
              }
            }
          },
          "non_persistent_attrs": {
            "none": [],
            "list": "set",
            "items": {}
          },
          "passkey_options": {
            "omitted": "kept",
            "nullable": true,
            "replace": true,
            "fields": {
              "challenge_ui": {
                "filled": "both",
                "values": [
                  "both",
                  "autofill",
                  "button"
                ]
              },
              "progressive_enrollment_enabled": {
                "filled": true
              },
              "local_enrollment_enabled": {
                "filled": true
              }
            }
          },
          "passwordPolicy": {
            "without": [
              "password_options"
            ],
            "nullable": true,
            "values": [
              "none",
              "low",
              "fair",
              "good",
              "excellent"
            ],
            "login": {
              "order": [
                "none",
                "low",
                "fair",
                "good",
                "excellent"
              ]
            }
          },
          "password_complexity_options": {
            "without": [
              "password_options"
            ],
            "nullable": true,
            "fields": {
              "min_length": {
                "login": {
                  "weaker": "lower"
                }
              }
            }
          },
          "password_dictionary": {
            "without": [
              "password_options"
            ],
            "nullable": true,
            "fields": {
              "enable": {
                "required": true,
                "omitted": "refused",
                "login": {
                  "weaker": false
                }
              },
              "dictionary": {
                "login": {
                  "weaker": "fewer"
                },
                "list": "set",
                "items": {}
              }
            }
          },
          "password_history": {
            "without": [
              "password_options"
            ],
            "nullable": true,
            "fields": {
              "enable": {
                "required": true,
                "omitted": "refused",
                "login": {
                  "weaker": false
                }
              },
              "size": {
                "login": {
                  "weaker": "lower"
                }
              }
            }
          },
          "password_no_personal_info": {
            "without": [
              "password_options"
            ],
            "nullable": true,
            "fields": {
              "enable": {
                "required": true,
                "omitted": "refused",
                "login": {
                  "weaker": false
                }
              }
            }
          },
          "password_options": {
            "without": [
              "passwordPolicy",
              "password_complexity_options",
              "password_dictionary",
              "password_history",
              "password_no_personal_info"
            ],
            "fields": {
              "complexity": {
                "fields": {
                  "min_length": {
                    "login": {
                      "weaker": "lower"
                    }
                  },
                  "character_types": {
                    "login": {
                      "weaker": "fewer"
                    },
                    "list": "set",
                    "items": {
                      "values": [
                        "uppercase",
                        "lowercase",
                        "number",
                        "special"
                      ]
                    }
                  },
                  "character_type_rule": {
                    "values": [
                      "all",
                      "three_of_four"
                    ],
                    "login": {
                      "order": [
                        "three_of_four",
                        "all"
                      ]
                    }
                  },
                  "identical_characters": {
                    "values": [
                      "allow",
                      "block"
                    ],
                    "login": {
                      "order": [
                        "allow",
                        "block"
                      ]
                    }
                  },
                  "sequential_characters": {
                    "values": [
                      "allow",
                      "block"
                    ],
                    "login": {
                      "order": [
                        "allow",
                        "block"
                      ]
                    }
                  },
                  "max_length_exceeded": {
                    "filled": "error",
                    "values": [
                      "truncate",
                      "error"
                    ]
                  }
                }
              },
              "dictionary": {
                "fields": {
                  "active": {
                    "login": {
                      "weaker": false
                    }
                  },
                  "custom": {
                    "login": {
                      "weaker": "fewer"
                    },
                    "list": "set",
                    "items": {}
                  },
                  "default": {
                    "values": [
                      "en_10k",
                      "en_100k"
                    ],
                    "login": {
                      "order": [
                        "en_10k",
                        "en_100k"
                      ]
                    }
                  }
                }
              },
              "history": {
                "fields": {
                  "active": {
                    "login": {
                      "weaker": false
                    }
                  },
                  "size": {
                    "login": {
                      "weaker": "lower"
                    }
                  }
                }
              },
              "profile_data": {
                "fields": {
                  "active": {
                    "login": {
                      "weaker": false
                    }
                  },
                  "blocked_fields": {
                    "login": {
                      "weaker": "fewer"
                    },
                    "list": "set",
                    "items": {}
                  }
                }
              }
            }
          },
          "precedence": {
            "list": "ordered",
            "items": {
              "values": [
                "email",
                "phone_number",
                "username"
              ]
            }
          },
          "realm_fallback": {},
          "requires_username": {
            "without": [
              "attributes"
            ]
          },
          "set_user_root_attributes": {
            "values": [
              "on_each_login",
              "on_first_login",
              "never_on_login"
            ]
          },
          "strategy_version": {
            "filled": 2
          },
          "upstream_params": {
            "map": {
              "json": true
            }
          },
          "validation": {
            "without": [
              "attributes"
            ],
            "nullable": true,
            "fields": {
              "username": {
                "nullable": true,
                "fields": {
                  "min": {
                    "required": true,
                    "omitted": "refused"
                  },
                  "max": {
                    "required": true,
                    "omitted": "refused"
                  }
                }
              }
            }
          }
        },
        "oidc": {
          "client_id": {
            "required": true
          },
          "client_secret": {
            "secret": "clear"
          },
          "discovery_url": {
            "without": [
              "issuer",
              "authorization_endpoint",
              "token_endpoint",
              "userinfo_endpoint",
              "jwks_uri"
            ],
            "address": true
          },
          "issuer": {
            "address": true
          },
          "authorization_endpoint": {
            "address": true
          },
          "token_endpoint": {
            "address": true
          },
          "userinfo_endpoint": {
            "address": true
          },
          "jwks_uri": {
            "address": true
          },
          "pushed_authorization_request_endpoint": {
            "address": true
          },
          "oidc_metadata": {
            "sides": "R",
            "omitted": "kept",
            "json": true
          },
          "schema_version": {
            "sides": "R",
            "omitted": "kept"
          },
          "type": {
            "filled": "front_channel",
            "values": [
              "back_channel",
              "front_channel"
            ],
            "login": {}
          },
          "scope": {
            "omitted": "kept"
          },
          "attribute_map": {
            "omitted": "kept",
            "replace": true,
            "fields": {
              "attributes": {
                "json": true
              },
              "mapping_mode": {
                "filled": "bind_all",
                "values": [
                  "bind_all",
                  "use_map"
                ]
              },
              "userinfo_scope": {}
            }
          },
          "connection_settings": {
            "omitted": "kept",
            "replace": true,
            "fields": {
              "pkce": {
                "values": [
                  "auto",
                  "S256",
                  "plain",
                  "disabled"
                ],
                "login": {
                  "order": [
                    "disabled",
                    "plain",
                    "auto",
                    "S256"
                  ]
                }
              }
            }
          },
          "token_endpoint_auth_method": {
            "nullable": true,
            "values": [
              "client_secret_post",
              "private_key_jwt"
            ],
            "login": {
              "order": [
                "client_secret_post",
                "private_key_jwt"
              ]
            }
          },
          "token_endpoint_auth_signing_alg": {
            "nullable": true,
            "values": [
              "ES256",
              "ES384",
              "PS256",
              "PS384",
              "RS256",
              "RS384",
              "RS512"
            ]
          },
          "token_endpoint_jwtca_aud_format": {
            "values": [
              "issuer",
              "token_endpoint"
            ]
          },
          "id_token_signed_response_algs": {
            "none": [],
            "nullable": true,
            "list": "set",
            "items": {
              "values": [
                "ES256",
                "ES384",
                "PS256",
                "PS384",
                "RS256",
                "RS384",
                "RS512"
              ]
            }
          },
          "id_token_session_expiry_supported": {},
          "dpop_signing_alg": {
            "values": [
              "ES256",
              "ES384",
              "ES512",
              "Ed25519"
            ]
          },
          "enable_pushed_authorization_requests": {
            "login": {
              "weaker": false
            }
          },
          "send_back_channel_nonce": {
            "login": {
              "weaker": false
            }
          },
          "useOauthSpecScope": {},
          "set_user_root_attributes": {
            "values": [
              "on_each_login",
              "on_first_login",
              "never_on_login"
            ]
          },
          "non_persistent_attrs": {
            "none": [],
            "list": "set",
            "items": {}
          },
          "upstream_params": {
            "nullable": true,
            "map": {
              "json": true
            }
          },
          "domain_aliases": {
            "login": {},
            "list": "set",
            "items": {}
          },
          "tenant_domain": {
            "login": {}
          },
          "icon_url": {}
        }
      }
    }
  }
};

const get = {
  "id": "get_connection",
  "api": "full",
  "method": "GET",
  "path": "/connections/{id}",
  "summary": "Get a connection",
  "scope": "read:connections",
  "lifecycle": "generally available",
  "success": 200,
  "basis": {
    "source": "public",
    "section": "10.1",
    "assumed": []
  },
  "params": shapes.params,
  "response": shapes.live
} satisfies ResourceOperations['get'];

export const operations = {
  "list": {
    "id": "list_connections",
    "api": "full",
    "method": "GET",
    "path": "/connections",
    "summary": "List connections",
    "scope": "read:connections",
    "lifecycle": "generally available",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "10.1",
      "assumed": [
        "order"
      ]
    },
    "query": {
      ...shapes.listQuery,
      "integers": [
        "take"
      ],
      "lists": [
        "strategy"
      ]
    },
    "response": shapes.page,
    "item": shapes.live,
    "filters": [
      "strategy",
      "name"
    ],
    "paging": {
      "style": "cursor",
      "items": "connections",
      "identity": [
        "id"
      ],
      "maxTake": 100,
      "defaultTake": 50
    },
    "lacking": [
      ...notOnTenant
    ]
  },
  "get": get,
  "create": {
    "id": "create_connection",
    "api": "full",
    "method": "POST",
    "path": "/connections",
    "summary": "Create a connection",
    "scope": "create:connections",
    "lifecycle": "generally available",
    "success": 201,
    "basis": {
      "source": "public",
      "section": "10.1",
      "assumed": [
        "message of a conflict"
      ]
    },
    "body": {
      ...shapes.createBody,
      "encodings": [
        "application/json"
      ],
      "integers": [
        "/options/attributes/username/validation/min_length",
        "/options/attributes/username/validation/max_length",
        "/options/password_complexity_options/min_length",
        "/options/password_history/size",
        "/options/password_options/complexity/min_length",
        "/options/password_options/history/size",
        "/options/strategy_version",
        "/options/validation/username/min",
        "/options/validation/username/max"
      ]
    },
    "response": shapes.live
  },
  "update": {
    "id": "update_connection",
    "api": "full",
    "method": "PATCH",
    "path": "/connections/{id}",
    "summary": "Update a connection",
    "scope": "update:connections",
    "lifecycle": "generally available",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "10.1",
      "assumed": [
        "body of a 422"
      ]
    },
    "params": shapes.params,
    "body": {
      ...shapes.updateBody,
      "encodings": [
        "application/json"
      ],
      "integers": [
        "/options/attributes/username/validation/min_length",
        "/options/attributes/username/validation/max_length",
        "/options/password_complexity_options/min_length",
        "/options/password_history/size",
        "/options/password_options/complexity/min_length",
        "/options/password_options/history/size",
        "/options/strategy_version",
        "/options/validation/username/min",
        "/options/validation/username/max"
      ]
    },
    "response": shapes.live
  },
  "delete": {
    "id": "delete_connection",
    "api": "full",
    "method": "DELETE",
    "path": "/connections/{id}",
    "summary": "Delete a connection",
    "scope": "delete:connections",
    "lifecycle": "generally available",
    "success": 202,
    "async": true,
    "goneStatus": 204,
    "basis": {
      "source": "public",
      "section": "10.5",
      "assumed": []
    },
    "params": shapes.params
  }
} satisfies ResourceOperations;

export const description = {
  ...head,
  "destroys": "its users",
  "section": shapes.section,
  "at": "list",
  "key": [
    "name"
  ],
  "id": "id",
  "resources": {
    "enabled_clients": {
      "at": "set",
      "noun": {
        "one": "enabled client",
        "many": "enabled clients"
      },
      "key": [
        "client_id"
      ],
      "id": "id",
      "fields": {
        "client_id": {
          "required": true,
          "identity": true,
          "ref": {
            "to": "clients",
            "gone": "dropped"
          }
        }
      },
      "operations": {
        "list": {
          "id": "list_enabled_clients",
          "api": "full",
          "method": "GET",
          "path": "/connections/{id}/clients",
          "summary": "List enabled clients",
          "scope": "read:connections",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "10.5",
            "assumed": []
          },
          "params": shapes.params,
          "query": {
            ...shapes.enabledClientsListQuery,
            "integers": [
              "take"
            ]
          },
          "response": shapes.enabledClientsPage,
          "item": shapes.enabledClientsLive,
          "of": get,
          "paging": {
            "style": "cursor",
            "items": "clients",
            "identity": [
              "client_id"
            ],
            "maxTake": 1000,
            "defaultTake": 50
          },
          "lacking": [
            ...notOnTenant
          ]
        },
        "add": {
          "id": "add_enabled_clients",
          "api": "full",
          "method": "PATCH",
          "path": "/connections/{id}/clients",
          "summary": "Add enabled clients",
          "scope": "update:connections",
          "lifecycle": "generally available",
          "success": 204,
          "basis": {
            "source": "public",
            "section": "10.5",
            "assumed": []
          },
          "params": shapes.params,
          "body": {
            ...shapes.enabledClientsAddBody,
            "encodings": [
              "application/json"
            ]
          },
          "elements": {
            "body": "$elements",
            "element": {
              "status": true
            },
            "batch": 50
          }
        },
        "remove": {
          "id": "remove_enabled_clients",
          "api": "full",
          "method": "PATCH",
          "path": "/connections/{id}/clients",
          "summary": "Remove enabled clients",
          "scope": "update:connections",
          "lifecycle": "generally available",
          "success": 204,
          "basis": {
            "source": "public",
            "section": "10.5",
            "assumed": []
          },
          "params": shapes.params,
          "body": {
            ...shapes.enabledClientsRemoveBody,
            "encodings": [
              "application/json"
            ]
          },
          "elements": {
            "body": "$elements",
            "element": {
              "status": false
            },
            "batch": 50
          }
        }
      },
      "resources": {},
      "scalar": "client_id",
      "access": {
        "holder": [
          "client_id"
        ],
        "thing": [
          "^"
        ]
      }
    }
  },
  "fields": fields,
  "operations": operations
} satisfies KindDescription;
