// Generated from src/kinds/resource-servers/kind.yaml by npm run generate.
import { notOnTenant } from '../../contract/operation-rows.ts';
import type { Fields } from '../../model/field.ts';
import type { KindDescription, ResourceOperations } from '../../model/resource.ts';
import { head } from './head.generated.ts';
import { shapes } from './shapes.generated.ts';

export const fields: Fields = {
  "identifier": {
    "required": true,
    "identity": true
  },
  "is_system": {
    "sides": "R"
  },
  "name": {
    "summary": true
  },
  "signing_alg": {
    "filled": "RS256",
    "values": [
      "HS256",
      "RS256",
      "RS512",
      "PS256"
    ]
  },
  "signing_secret": {
    "secret": "clear"
  },
  "allow_offline_access": {
    "filled": false
  },
  "allow_online_access": {},
  "allow_online_access_with_ephemeral_sessions": {},
  "token_lifetime": {
    "filled": 86400
  },
  "token_lifetime_for_web": {
    "sides": "UR",
    "filled": 7200
  },
  "token_lifetime_for_anonymous_access_tokens": {
    "nullable": true
  },
  "token_dialect": {
    "values": [
      "access_token",
      "access_token_authz",
      "rfc9068_profile",
      "rfc9068_profile_authz"
    ]
  },
  "skip_consent_for_verifiable_first_party_clients": {
    "login": {
      "weaker": true
    }
  },
  "enforce_policies": {
    "login": {
      "weaker": false
    }
  },
  "token_encryption": {
    "nullable": true,
    "replace": true,
    "fields": {
      "format": {
        "required": true,
        "omitted": "refused",
        "values": [
          "compact-nested-jwe"
        ]
      },
      "encryption_key": {
        "required": true,
        "omitted": "refused",
        "fields": {
          "name": {},
          "alg": {
            "required": true,
            "omitted": "refused",
            "values": [
              "RSA-OAEP-256",
              "RSA-OAEP-384",
              "RSA-OAEP-512"
            ]
          },
          "kid": {},
          "pem": {
            "required": true,
            "sides": "CU",
            "omitted": "refused"
          }
        }
      }
    }
  },
  "consent_policy": {
    "nullable": true,
    "values": [
      "transactional-authorization-with-mfa"
    ]
  },
  "authorization_details": {
    "nullable": true,
    "list": "ordered",
    "items": {
      "json": true
    }
  },
  "proof_of_possession": {
    "nullable": true,
    "replace": true,
    "fields": {
      "mechanism": {
        "required": true,
        "omitted": "refused",
        "values": [
          "mtls",
          "dpop"
        ]
      },
      "required": {
        "required": true,
        "omitted": "refused",
        "login": {}
      },
      "required_for": {
        "values": [
          "public_clients",
          "all_clients"
        ],
        "login": {}
      }
    }
  },
  "subject_type_authorization": {
    "replace": true,
    "fields": {
      "user": {
        "fields": {
          "policy": {
            "values": [
              "allow_all",
              "deny_all",
              "require_client_grant"
            ],
            "login": {}
          }
        }
      },
      "client": {
        "fields": {
          "policy": {
            "values": [
              "deny_all",
              "require_client_grant"
            ],
            "login": {}
          }
        }
      },
      "anonymous_user": {
        "fields": {
          "policy": {
            "values": [
              "deny_all",
              "require_client_grant"
            ],
            "login": {}
          }
        }
      }
    }
  },
  "authorization_policy": {
    "nullable": true,
    "fields": {
      "policy_id": {
        "required": true,
        "omitted": "refused"
      }
    }
  }
};

const get = {
  "id": "get_resource_server",
  "api": "full",
  "method": "GET",
  "path": "/resource-servers/{id}",
  "summary": "Get an API",
  "scope": "read:resource_servers",
  "lifecycle": "not shown",
  "success": 200,
  "basis": {
    "source": "public",
    "section": "2b.1",
    "assumed": []
  },
  "params": shapes.params,
  "response": shapes.live
} satisfies ResourceOperations['get'];

export const operations = {
  "list": {
    "id": "list_resource_servers",
    "api": "full",
    "method": "GET",
    "path": "/resource-servers",
    "summary": "List APIs",
    "scope": "read:resource_servers",
    "lifecycle": "not shown",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "2b.1",
      "assumed": [
        "order",
        "include_fields, which changes nothing",
        "unknown identifiers, which select nothing"
      ]
    },
    "query": {
      ...shapes.listQuery,
      "integers": [
        "page",
        "per_page"
      ],
      "lists": [
        "identifiers"
      ]
    },
    "response": shapes.page,
    "item": shapes.live,
    "filters": [
      "identifiers"
    ],
    "paging": {
      "style": "page",
      "items": "resource_servers",
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
    "id": "create_resource_server",
    "api": "full",
    "method": "POST",
    "path": "/resource-servers",
    "summary": "Create an API",
    "scope": "create:resource_servers",
    "lifecycle": "not shown",
    "success": 201,
    "basis": {
      "source": "public",
      "section": "2b.9",
      "assumed": [
        "body of a conflict",
        "that it takes scopes"
      ]
    },
    "body": {
      ...shapes.createBody,
      "encodings": [
        "application/json",
        "application/x-www-form-urlencoded"
      ],
      "integers": [
        "/token_lifetime",
        "/token_lifetime_for_anonymous_access_tokens"
      ]
    },
    "response": shapes.live
  },
  "update": {
    "id": "update_resource_server",
    "api": "full",
    "method": "PATCH",
    "path": "/resource-servers/{id}",
    "summary": "Update an API",
    "scope": "update:resource_servers",
    "lifecycle": "not shown",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "2b.1",
      "assumed": [
        "404",
        "the same scope twice",
        "what roles keep of a removed scope",
        "keys of a form-encoded body"
      ]
    },
    "params": shapes.params,
    "body": {
      ...shapes.updateBody,
      "encodings": [
        "application/json",
        "application/x-www-form-urlencoded"
      ],
      "integers": [
        "/token_lifetime",
        "/token_lifetime_for_web",
        "/token_lifetime_for_anonymous_access_tokens"
      ]
    },
    "response": shapes.live
  },
  "delete": {
    "id": "delete_resource_server",
    "api": "full",
    "method": "DELETE",
    "path": "/resource-servers/{id}",
    "summary": "Delete an API",
    "scope": "delete:resource_servers",
    "lifecycle": "not shown",
    "success": 204,
    "basis": {
      "source": "public",
      "section": "2b.9",
      "assumed": [
        "what roles and grants keep of a deleted API"
      ]
    },
    "params": shapes.params
  }
} satisfies ResourceOperations;

export const description = {
  ...head,
  "own": {
    "api": "identifier"
  },
  "section": shapes.section,
  "at": "list",
  "key": [
    "identifier"
  ],
  "id": "id",
  "resources": {
    "scopes": {
      "at": "set",
      "noun": {
        "one": "scope",
        "many": "scopes"
      },
      "key": [
        "value"
      ],
      "id": "id",
      "fields": {
        "value": {
          "required": true,
          "identity": true
        },
        "description": {
          "none": "",
          "omitted": "lost"
        }
      },
      "operations": {},
      "resources": {},
      "in": true,
      "named": true,
      "maxItems": 1000
    }
  },
  "creates": "fields",
  "writable": {
    "when": {
      "is_system": true
    },
    "only": [
      "token_lifetime",
      "skip_consent_for_verifiable_first_party_clients",
      "subject_type_authorization",
      "proof_of_possession",
      "authorization_policy"
    ],
    "why": "an API of the service itself"
  },
  "fields": fields,
  "operations": operations
} satisfies KindDescription;
