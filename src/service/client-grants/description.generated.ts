// Generated from src/kinds/client-grants/kind.yaml by npm run generate.
import { notOnTenant } from '../../contract/operation-rows.ts';
import type { Fields } from '../../model/field.ts';
import type { KindDescription, ResourceOperations } from '../../model/resource.ts';
import { head } from './head.generated.ts';
import { shapes } from './shapes.generated.ts';

export const fields: Fields = {
  "client": {
    "required": true,
    "identity": true,
    "wire": "client_id",
    "ref": {
      "to": "clients",
      "gone": "deleted"
    }
  },
  "audience": {
    "required": true,
    "identity": true,
    "ref": {
      "to": "resource_servers",
      "by": "identifier",
      "gone": "deleted"
    }
  },
  "subject_type": {
    "identity": true,
    "none": "client",
    "values": [
      "client",
      "user",
      "anonymous_user"
    ]
  },
  "allow_all_scopes": {
    "none": false,
    "clear": false,
    "with": {
      "false": [
        "scope"
      ]
    },
    "nullable": true,
    "login": {
      "weaker": true
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
  "allow_any_organization": {
    "none": false,
    "clear": false,
    "nullable": true,
    "login": {
      "weaker": true
    }
  },
  "authorization_details_types": {
    "none": [],
    "clear": [],
    "nullable": true,
    "list": "set",
    "items": {}
  }
};

const get = {
  "id": "get_client_grant",
  "api": "full",
  "method": "GET",
  "path": "/client-grants/{id}",
  "summary": "Get a client grant",
  "scope": "read:client_grants",
  "lifecycle": "generally available",
  "success": 200,
  "basis": {
    "source": "public",
    "section": "8",
    "assumed": []
  },
  "params": shapes.params,
  "response": shapes.live
} satisfies ResourceOperations['get'];

export const operations = {
  "list": {
    "id": "list_client_grants",
    "api": "full",
    "method": "GET",
    "path": "/client-grants",
    "summary": "List client grants",
    "scope": "read:client_grants",
    "lifecycle": "generally available",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "8",
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
      "audience",
      "client_id",
      "allow_any_organization",
      "subject_type",
      "default_for"
    ],
    "paging": {
      "style": "cursor",
      "items": "client_grants",
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
    "id": "create_client_grant",
    "api": "full",
    "method": "POST",
    "path": "/client-grants",
    "summary": "Create a client grant",
    "scope": "create:client_grants",
    "lifecycle": "generally available",
    "success": 201,
    "basis": {
      "source": "public",
      "section": "8",
      "assumed": []
    },
    "body": {
      ...shapes.createBody,
      "encodings": [
        "application/json"
      ]
    },
    "response": shapes.live
  },
  "update": {
    "id": "update_client_grant",
    "api": "full",
    "method": "PATCH",
    "path": "/client-grants/{id}",
    "summary": "Update a client grant",
    "scope": "update:client_grants",
    "lifecycle": "generally available",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "8",
      "assumed": []
    },
    "params": shapes.params,
    "body": {
      ...shapes.updateBody,
      "encodings": [
        "application/json"
      ]
    },
    "response": shapes.live
  },
  "delete": {
    "id": "delete_client_grant",
    "api": "full",
    "method": "DELETE",
    "path": "/client-grants/{id}",
    "summary": "Delete a client grant",
    "scope": "delete:client_grants",
    "lifecycle": "generally available",
    "success": 204,
    "basis": {
      "source": "public",
      "section": "8",
      "assumed": []
    },
    "params": shapes.params
  }
} satisfies ResourceOperations;

export const description = {
  ...head,
  "own": {
    "client": "client",
    "api": "audience"
  },
  "section": shapes.section,
  "at": "list",
  "key": [
    "client",
    "audience",
    "subject_type"
  ],
  "id": "id",
  "resources": {
    "scope": {
      "at": "set",
      "noun": {
        "one": "scope",
        "many": "scopes"
      },
      "key": [],
      "id": "id",
      "fields": {
        "scope": {
          "required": true
        }
      },
      "operations": {},
      "resources": {},
      "in": true,
      "scalar": "scope",
      "refs": [
        "resource_servers/{^audience}/scopes/{scope}"
      ],
      "access": {
        "holder": [
          "^client"
        ],
        "thing": [
          "^audience",
          "scope"
        ],
        "all": "allow_all_scopes"
      }
    }
  },
  "skip": [
    {
      "when": {
        "is_system": true
      },
      "why": "made by the service, which refuses changes"
    },
    {
      "when": {
        "default_for": "third_party_clients"
      },
      "why": "a default for third-party clients"
    },
    {
      "when": {
        "client": {
          "is_first_party": false
        }
      },
      "unless": "declared",
      "why": "a grant of a third-party client"
    }
  ],
  "fields": fields,
  "operations": operations
} satisfies KindDescription;
