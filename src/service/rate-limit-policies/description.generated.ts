// Generated from src/kinds/rate-limit-policies/kind.yaml by npm run generate.
import { notOnTenant } from '../../contract/operation-rows.ts';
import type { Fields } from '../../model/field.ts';
import type { KindDescription, ResourceOperations } from '../../model/resource.ts';
import { head } from './head.generated.ts';
import { shapes } from './shapes.generated.ts';

export const fields: Fields = {
  "resource": {
    "identity": true,
    "none": "oauth_authentication_api",
    "values": [
      "oauth_authentication_api"
    ]
  },
  "consumer": {
    "identity": true,
    "none": "client",
    "values": [
      "client"
    ]
  },
  "consumer_selector": {
    "required": true,
    "identity": true,
    "ref": {
      "to": "clients",
      "as": {
        "field": "client",
        "prefix": "client_id:"
      }
    },
    "suggestions": [
      "cimd_clients",
      "third_party_clients",
      "default"
    ]
  },
  "configuration": {
    "required": true,
    "replace": true,
    "forms": {
      "by": "action",
      "of": {
        "allow": {
          "action": {
            "required": true
          }
        },
        "block": {
          "action": {
            "required": true
          },
          "limit": {
            "required": true
          }
        },
        "log": {
          "action": {
            "required": true
          },
          "limit": {
            "required": true
          }
        },
        "redirect": {
          "action": {
            "required": true
          },
          "limit": {
            "required": true
          },
          "redirect_uri": {
            "required": true
          }
        }
      }
    }
  }
};

const get = {
  "id": "get_rate_limit_policy",
  "api": "full",
  "method": "GET",
  "path": "/rate-limit-policies/{id}",
  "summary": "Get a rate limit policy",
  "scope": "read:rate_limit_policies",
  "lifecycle": "early access",
  "success": 200,
  "basis": {
    "source": "public",
    "section": "1.1",
    "assumed": [
      "message of a 404"
    ]
  },
  "params": shapes.params,
  "response": shapes.live
} satisfies ResourceOperations['get'];

export const operations = {
  "list": {
    "id": "list_rate_limit_policies",
    "api": "documented",
    "method": "GET",
    "path": "/rate-limit-policies",
    "summary": "List rate limit policies",
    "scope": "read:rate_limit_policies",
    "lifecycle": "early access",
    "success": 200,
    "basis": {
      "source": "documented",
      "section": "4.1",
      "assumed": []
    },
    "query": {
      ...shapes.listQuery,
      "integers": [
        "take"
      ]
    },
    "response": shapes.page,
    "item": shapes.live,
    "filters": [
      "resource",
      "consumer",
      "consumer_selector"
    ],
    "paging": {
      "style": "cursor",
      "items": "rate_limit_policies",
      "identity": [
        "id"
      ],
      "maxTake": 100,
      "defaultTake": 50
    },
    "lacking": [
      ...notOnTenant,
      {
        "status": 404,
        "confirmedBy": get
      }
    ]
  },
  "create": {
    "id": "create_rate_limit_policy",
    "api": "full",
    "method": "POST",
    "path": "/rate-limit-policies",
    "summary": "Create a rate limit policy",
    "scope": "create:rate_limit_policies",
    "lifecycle": "early access",
    "success": 201,
    "basis": {
      "source": "public",
      "section": "1.1",
      "assumed": [
        "message of a conflict"
      ]
    },
    "body": {
      ...shapes.createBody,
      "encodings": [
        "application/json",
        "application/x-www-form-urlencoded"
      ],
      "integers": [
        "/configuration/limit"
      ]
    },
    "response": shapes.live
  },
  "get": get,
  "update": {
    "id": "update_rate_limit_policy",
    "api": "full",
    "method": "PATCH",
    "path": "/rate-limit-policies/{id}",
    "summary": "Update a rate limit policy",
    "scope": "update:rate_limit_policies",
    "lifecycle": "early access",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "1.1",
      "assumed": [
        "message of a 404"
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
        "/configuration/limit"
      ]
    },
    "response": shapes.live
  },
  "delete": {
    "id": "delete_rate_limit_policy",
    "api": "documented",
    "method": "DELETE",
    "path": "/rate-limit-policies/{id}",
    "summary": "Delete a rate limit policy",
    "scope": "delete:rate_limit_policies",
    "lifecycle": "not shown",
    "success": 204,
    "goneStatus": 404,
    "basis": {
      "source": "documented",
      "section": "4.2",
      "assumed": [
        "scope",
        "success status",
        "error responses"
      ]
    },
    "params": shapes.params
  }
} satisfies ResourceOperations;

export const description = {
  ...head,
  "section": shapes.section,
  "at": "list",
  "key": [
    "resource",
    "consumer",
    "consumer_selector"
  ],
  "id": "id",
  "resources": {},
  "fields": fields,
  "operations": operations
} satisfies KindDescription;
