// Generated from src/kinds/clients/kind.yaml by npm run generate.
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
  "description": {
    "none": "",
    "clear": "",
    "nullable": true
  },
  "app_type": {
    "summary": true,
    "values": [
      "native",
      "spa",
      "regular_web",
      "non_interactive",
      "resource_server",
      "express_configuration",
      "rms",
      "box",
      "cloudbees",
      "concur",
      "dropbox",
      "mscrm",
      "echosign",
      "egnyte",
      "newrelic",
      "office365",
      "salesforce",
      "sentry",
      "sharepoint",
      "slack",
      "springcm",
      "zendesk",
      "zoom",
      "sso_integration",
      "oag"
    ]
  },
  "is_first_party": {
    "filled": true
  },
  "client_secret": {
    "sides": "UR",
    "secret": "clear"
  },
  "logo_uri": {
    "none": "",
    "clear": "",
    "nullable": true
  },
  "callbacks": {
    "none": [],
    "clear": [],
    "address": "codes",
    "nullable": true,
    "list": "set",
    "items": {}
  },
  "allowed_logout_urls": {
    "none": [],
    "clear": [],
    "address": true,
    "nullable": true,
    "list": "set",
    "items": {}
  },
  "web_origins": {
    "none": [],
    "clear": [],
    "address": true,
    "nullable": true,
    "list": "set",
    "items": {}
  },
  "allowed_origins": {
    "none": [],
    "clear": [],
    "address": true,
    "nullable": true,
    "list": "set",
    "items": {}
  },
  "initiate_login_uri": {
    "none": "",
    "clear": "",
    "address": true,
    "nullable": true
  },
  "cross_origin_loc": {
    "address": true,
    "nullable": true
  },
  "skip_non_verifiable_callback_uri_confirmation_prompt": {
    "nullable": true,
    "login": {
      "weaker": true
    }
  },
  "grant_types": {
    "login": {
      "weaker": "more"
    },
    "list": "set",
    "items": {}
  },
  "token_endpoint_auth_method": {
    "nullable": true,
    "values": [
      "none",
      "client_secret_post",
      "client_secret_basic"
    ],
    "login": {
      "order": [
        "none",
        "client_secret_post",
        "client_secret_basic"
      ]
    }
  },
  "client_authentication_methods": {
    "sides": "UR",
    "nullable": true,
    "replace": true,
    "fields": {
      "private_key_jwt": {
        "without": [
          "tls_client_auth",
          "self_signed_tls_client_auth"
        ],
        "fields": {
          "credentials": {
            "required": true,
            "omitted": "refused",
            "login": {},
            "list": "key",
            "key": "name",
            "items": {
              "fields": {
                "name": {
                  "required": true,
                  "wire": "id",
                  "omitted": "refused",
                  "element": "credentials"
                }
              }
            }
          }
        }
      },
      "tls_client_auth": {
        "without": [
          "private_key_jwt",
          "self_signed_tls_client_auth"
        ],
        "fields": {
          "credentials": {
            "required": true,
            "omitted": "refused",
            "login": {},
            "list": "key",
            "key": "name",
            "items": {
              "fields": {
                "name": {
                  "required": true,
                  "wire": "id",
                  "omitted": "refused",
                  "element": "credentials"
                }
              }
            }
          }
        }
      },
      "self_signed_tls_client_auth": {
        "without": [
          "private_key_jwt",
          "tls_client_auth"
        ],
        "fields": {
          "credentials": {
            "required": true,
            "omitted": "refused",
            "login": {},
            "list": "key",
            "key": "name",
            "items": {
              "fields": {
                "name": {
                  "required": true,
                  "wire": "id",
                  "omitted": "refused",
                  "element": "credentials"
                }
              }
            }
          }
        }
      }
    }
  },
  "signed_request_object": {
    "clear": null,
    "nullable": true,
    "fields": {
      "required": {
        "login": {
          "weaker": false
        }
      },
      "credentials": {
        "sides": "UR",
        "login": {},
        "list": "key",
        "key": "name",
        "items": {
          "fields": {
            "name": {
              "required": true,
              "wire": "id",
              "omitted": "refused",
              "element": "credentials"
            }
          }
        }
      }
    }
  },
  "is_token_endpoint_ip_header_trusted": {
    "filled": false,
    "login": {
      "weaker": true
    }
  },
  "oidc_conformant": {
    "filled": false,
    "login": {
      "weaker": false
    }
  },
  "require_pushed_authorization_requests": {
    "none": false,
    "clear": false,
    "nullable": true,
    "login": {
      "weaker": false
    }
  },
  "require_proof_of_possession": {
    "none": false,
    "clear": false,
    "nullable": true,
    "login": {
      "weaker": false
    }
  },
  "client_aliases": {
    "none": [],
    "clear": [],
    "nullable": true,
    "list": "set",
    "items": {}
  },
  "allowed_clients": {
    "none": [],
    "clear": [],
    "nullable": true,
    "login": {
      "weaker": "more"
    },
    "list": "set",
    "items": {}
  },
  "cross_origin_authentication": {
    "twin": "cross_origin_auth",
    "filled": false,
    "login": {
      "weaker": true
    }
  },
  "jwt_configuration": {
    "filled": {
      "secret_encoded": false,
      "lifetime_in_seconds": 36000
    },
    "fields": {
      "alg": {
        "values": [
          "HS256",
          "RS256",
          "RS512",
          "PS256"
        ],
        "login": {
          "order": [
            "HS256",
            "RS256",
            "RS512",
            "PS256"
          ]
        }
      },
      "lifetime_in_seconds": {},
      "secret_encoded": {
        "sides": "CR",
        "filled": false
      }
    }
  },
  "refresh_token": {
    "nullable": true,
    "replace": true,
    "fields": {
      "rotation_type": {
        "required": true,
        "omitted": "refused",
        "values": [
          "rotating",
          "non-rotating"
        ],
        "login": {
          "order": [
            "non-rotating",
            "rotating"
          ]
        }
      },
      "expiration_type": {
        "required": true,
        "omitted": "refused",
        "values": [
          "expiring",
          "non-expiring"
        ],
        "login": {
          "order": [
            "non-expiring",
            "expiring"
          ]
        }
      },
      "leeway": {
        "login": {
          "weaker": "higher"
        }
      },
      "token_lifetime": {
        "login": {
          "weaker": "higher"
        }
      },
      "idle_token_lifetime": {
        "login": {
          "weaker": "higher"
        }
      },
      "infinite_token_lifetime": {
        "login": {
          "weaker": true
        }
      },
      "infinite_idle_token_lifetime": {
        "login": {
          "weaker": true
        }
      },
      "policies": {
        "nullable": true,
        "list": "key",
        "key": "audience",
        "items": {
          "fields": {
            "audience": {
              "required": true,
              "omitted": "refused",
              "ref": {
                "to": "resource_servers",
                "by": "identifier"
              }
            },
            "scope": {
              "required": true,
              "omitted": "refused",
              "list": "set",
              "items": {}
            }
          }
        }
      }
    }
  },
  "session_transfer": {
    "nullable": true,
    "fields": {
      "can_create_session_transfer_token": {
        "filled": false,
        "login": {
          "weaker": true
        }
      },
      "enforce_cascade_revocation": {
        "filled": true,
        "login": {
          "weaker": false
        }
      },
      "allowed_authentication_methods": {
        "filled": [],
        "nullable": true,
        "login": {
          "weaker": "more"
        },
        "list": "set",
        "items": {
          "values": [
            "cookie",
            "query"
          ]
        }
      },
      "enforce_device_binding": {
        "filled": "ip",
        "values": [
          "ip",
          "asn",
          "none"
        ],
        "login": {
          "order": [
            "none",
            "asn",
            "ip"
          ]
        }
      },
      "allow_refresh_token": {
        "filled": false,
        "login": {
          "weaker": true
        }
      },
      "enforce_online_refresh_tokens": {
        "filled": true,
        "login": {
          "weaker": false
        }
      },
      "delegation": {
        "nullable": true,
        "replace": true,
        "fields": {
          "allow_delegated_access": {
            "login": {
              "weaker": true
            }
          },
          "enforce_device_binding": {
            "values": [
              "ip"
            ]
          }
        }
      }
    }
  },
  "oidc_logout": {
    "none": {},
    "clearAs": "oidc_backchannel_logout",
    "twin": "oidc_backchannel_logout",
    "replace": true,
    "fields": {
      "backchannel_logout_urls": {
        "address": true,
        "list": "set",
        "items": {}
      },
      "backchannel_logout_initiators": {
        "fields": {
          "mode": {
            "values": [
              "custom",
              "all"
            ]
          },
          "selected_initiators": {
            "list": "set",
            "items": {
              "values": [
                "rp-logout",
                "idp-logout",
                "password-changed",
                "session-expired",
                "session-revoked",
                "account-deleted",
                "email-identifier-changed",
                "mfa-phone-unenrolled",
                "account-deactivated"
              ]
            }
          }
        }
      },
      "backchannel_logout_session_metadata": {
        "nullable": true,
        "fields": {
          "include": {}
        }
      }
    }
  },
  "sso": {},
  "sso_disabled": {
    "filled": false
  },
  "token_quota": {
    "nullable": true,
    "replace": true,
    "fields": {
      "client_credentials": {
        "required": true,
        "omitted": "refused",
        "fields": {
          "enforce": {},
          "per_day": {},
          "per_hour": {}
        }
      }
    }
  },
  "organization_usage": {
    "none": "deny",
    "clear": "deny",
    "nullable": true,
    "values": [
      "deny",
      "allow",
      "require"
    ],
    "login": {}
  },
  "organization_require_behavior": {
    "none": "no_prompt",
    "clear": "no_prompt",
    "nullable": true,
    "values": [
      "no_prompt",
      "pre_login_prompt",
      "post_login_prompt"
    ]
  },
  "organization_discovery_methods": {
    "nullable": true,
    "list": "set",
    "items": {
      "values": [
        "email",
        "organization_name"
      ]
    }
  },
  "default_organization": {
    "nullable": true,
    "fields": {
      "organization_id": {
        "required": true,
        "omitted": "refused"
      },
      "flows": {
        "required": true,
        "omitted": "refused",
        "list": "set",
        "items": {
          "values": [
            "client_credentials"
          ]
        }
      }
    }
  },
  "custom_login_page_on": {
    "filled": true
  },
  "custom_login_page": {
    "none": "",
    "clear": "",
    "file": "html",
    "script": true,
    "nullable": true
  },
  "custom_login_page_preview": {
    "none": "",
    "clear": "",
    "file": "html",
    "script": true,
    "nullable": true
  },
  "form_template": {
    "none": "",
    "clear": "",
    "file": "html",
    "script": true,
    "nullable": true
  },
  "client_metadata": {
    "map": {}
  },
  "mobile": {
    "fields": {
      "android": {
        "replace": true,
        "fields": {
          "app_package_name": {},
          "sha256_cert_fingerprints": {
            "list": "set",
            "items": {}
          }
        }
      },
      "ios": {
        "replace": true,
        "fields": {
          "team_id": {},
          "app_bundle_identifier": {}
        }
      }
    }
  },
  "native_social_login": {
    "nullable": true,
    "fields": {
      "apple": {
        "nullable": true,
        "fields": {
          "enabled": {
            "none": false,
            "login": {}
          }
        }
      },
      "facebook": {
        "nullable": true,
        "fields": {
          "enabled": {
            "none": false,
            "login": {}
          }
        }
      },
      "google": {
        "nullable": true,
        "fields": {
          "enabled": {
            "none": false,
            "login": {}
          }
        }
      }
    }
  },
  "addons": {
    "clear": null,
    "nullable": true,
    "replace": true,
    "fields": {
      "samlp": {
        "fields": {
          "audience": {},
          "recipient": {
            "address": "codes"
          },
          "destination": {
            "address": "codes"
          },
          "issuer": {},
          "mappings": {
            "json": true
          },
          "createUpnClaim": {},
          "mapIdentities": {},
          "mapUnknownClaimsAsIs": {},
          "passthroughClaimsWithNoMapping": {},
          "signatureAlgorithm": {
            "login": {
              "order": [
                "rsa-sha1",
                "rsa-sha256"
              ]
            }
          },
          "digestAlgorithm": {
            "login": {
              "order": [
                "sha1",
                "sha256"
              ]
            }
          },
          "signResponse": {},
          "lifetimeInSeconds": {},
          "nameIdentifierFormat": {},
          "nameIdentifierProbes": {
            "list": "ordered",
            "items": {}
          },
          "authnContextClassRef": {}
        }
      },
      "wsfed": {
        "json": true
      }
    }
  }
};

const get = {
  "id": "get_client",
  "api": "full",
  "method": "GET",
  "path": "/clients/{id}",
  "summary": "Get a client",
  "scope": "read:clients",
  "lifecycle": "generally available",
  "success": 200,
  "basis": {
    "source": "public",
    "section": "7",
    "assumed": []
  },
  "params": shapes.params,
  "response": shapes.live
} satisfies ResourceOperations['get'];

export const operations = {
  "list": {
    "id": "list_clients",
    "api": "full",
    "method": "GET",
    "path": "/clients",
    "summary": "List clients",
    "scope": "read:clients",
    "lifecycle": "generally available",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "7",
      "assumed": [
        "order"
      ]
    },
    "query": {
      ...shapes.listQuery,
      "integers": [
        "page",
        "per_page"
      ]
    },
    "response": shapes.page,
    "item": shapes.live,
    "filters": [
      "is_global",
      "is_first_party",
      "app_type",
      "external_client_id"
    ],
    "paging": {
      "style": "page",
      "items": "clients",
      "identity": [
        "client_id"
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
    "id": "create_client",
    "api": "full",
    "method": "POST",
    "path": "/clients",
    "summary": "Create a client",
    "scope": "create:clients",
    "lifecycle": "generally available",
    "success": 201,
    "basis": {
      "source": "public",
      "section": "7",
      "assumed": []
    },
    "body": {
      ...shapes.createBody,
      "encodings": [
        "application/json"
      ],
      "integers": [
        "/jwt_configuration/lifetime_in_seconds",
        "/refresh_token/leeway",
        "/refresh_token/token_lifetime",
        "/refresh_token/idle_token_lifetime",
        "/token_quota/client_credentials/per_day",
        "/token_quota/client_credentials/per_hour",
        "/addons/samlp/lifetimeInSeconds",
        "/par_request_expiry"
      ]
    },
    "response": shapes.live
  },
  "update": {
    "id": "update_client",
    "api": "full",
    "method": "PATCH",
    "path": "/clients/{id}",
    "summary": "Update a client",
    "scope": "update:clients",
    "lifecycle": "generally available",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "7",
      "assumed": []
    },
    "params": shapes.params,
    "body": {
      ...shapes.updateBody,
      "encodings": [
        "application/json"
      ],
      "integers": [
        "/jwt_configuration/lifetime_in_seconds",
        "/refresh_token/leeway",
        "/refresh_token/token_lifetime",
        "/refresh_token/idle_token_lifetime",
        "/token_quota/client_credentials/per_day",
        "/token_quota/client_credentials/per_hour",
        "/addons/samlp/lifetimeInSeconds",
        "/par_request_expiry"
      ]
    },
    "response": shapes.live
  },
  "delete": {
    "id": "delete_client",
    "api": "full",
    "method": "DELETE",
    "path": "/clients/{id}",
    "summary": "Delete a client",
    "scope": "delete:clients",
    "lifecycle": "generally available",
    "success": 204,
    "basis": {
      "source": "public",
      "section": "7",
      "assumed": []
    },
    "params": shapes.params
  }
} satisfies ResourceOperations;

export const description = {
  ...head,
  "destroys": "its client id and its secret",
  "own": {
    "client": "client_id"
  },
  "section": shapes.section,
  "at": "list",
  "key": [
    "name"
  ],
  "id": "client_id",
  "resources": {
    "credentials": {
      "at": "set",
      "noun": {
        "one": "credential",
        "many": "credentials"
      },
      "key": [
        "name"
      ],
      "id": "id",
      "fields": {
        "name": {
          "required": true,
          "identity": true
        },
        "credential_type": {
          "required": true,
          "sides": "CR",
          "values": [
            "public_key",
            "cert_subject_dn",
            "x509_cert"
          ]
        },
        "pem": {
          "sides": "C",
          "file": "pem"
        },
        "subject_dn": {
          "sides": "CR"
        },
        "alg": {
          "sides": "CR",
          "values": [
            "RS256",
            "RS384",
            "PS256"
          ]
        },
        "parse_expiry_from_cert": {
          "sides": "C"
        },
        "expires_at": {
          "nullable": true
        },
        "kid": {
          "sides": "CR"
        }
      },
      "operations": {
        "list": {
          "id": "list_client_credentials",
          "api": "full",
          "method": "GET",
          "path": "/clients/{id}/credentials",
          "summary": "List credentials",
          "scope": "read:client_credentials",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "7.6",
            "assumed": [
              "order"
            ]
          },
          "params": shapes.params,
          "query": {
            ...shapes.credentialsListQuery,
            "integers": []
          },
          "response": shapes.credentialsPage,
          "item": shapes.credentialsLive,
          "of": get,
          "paging": {
            "style": "none",
            "items": "",
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
        "add": {
          "id": "create_client_credential",
          "api": "full",
          "method": "POST",
          "path": "/clients/{id}/credentials",
          "summary": "Add credentials",
          "scope": "create:client_credentials",
          "lifecycle": "generally available",
          "success": 201,
          "basis": {
            "source": "public",
            "section": "7.6",
            "assumed": []
          },
          "params": shapes.params,
          "body": {
            ...shapes.credentialsAddBody,
            "encodings": [
              "application/json"
            ]
          },
          "response": shapes.credentialsLive,
          "elements": {
            "body": "$element",
            "batch": 1
          }
        },
        "update": {
          "id": "update_client_credential",
          "api": "full",
          "method": "PATCH",
          "path": "/clients/{id}/credentials/{element}",
          "summary": "Update credentials",
          "scope": "update:client_credentials",
          "lifecycle": "generally available",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "7.6",
            "assumed": []
          },
          "params": shapes.credentialsParams,
          "body": {
            ...shapes.credentialsUpdateBody,
            "encodings": [
              "application/json"
            ]
          },
          "response": shapes.credentialsLive
        },
        "remove": {
          "id": "delete_client_credential",
          "api": "full",
          "method": "DELETE",
          "path": "/clients/{id}/credentials/{element}",
          "summary": "Remove credentials",
          "scope": "delete:client_credentials",
          "lifecycle": "generally available",
          "success": 204,
          "basis": {
            "source": "public",
            "section": "7.6",
            "assumed": []
          },
          "params": shapes.credentialsParams,
          "elements": {
            "batch": 1
          }
        }
      },
      "resources": {},
      "creates": [
        "pem",
        "subject_dn"
      ],
      "unique": false
    }
  },
  "unique": false,
  "skip": [
    {
      "when": {
        "global": true
      },
      "why": "the global client"
    },
    {
      "when": {
        "external_metadata_type": "cimd"
      },
      "why": "described by a metadata document that others publish"
    },
    {
      "when": {
        "is_first_party": false
      },
      "unless": "declared",
      "why": "a third-party client"
    }
  ],
  "fields": fields,
  "operations": operations
} satisfies KindDescription;
