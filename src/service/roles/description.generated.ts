// Generated from src/kinds/roles/kind.yaml by npm run generate.
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
    "summary": true
  }
};

const get = {
  "id": "get_role",
  "api": "full",
  "method": "GET",
  "path": "/roles/{id}",
  "summary": "Get a role",
  "scope": "read:roles",
  "lifecycle": "not shown",
  "success": 200,
  "basis": {
    "source": "public",
    "section": "2.1",
    "assumed": []
  },
  "params": shapes.params,
  "response": shapes.live
} satisfies ResourceOperations['get'];

export const operations = {
  "list": {
    "id": "list_roles",
    "api": "full",
    "method": "GET",
    "path": "/roles",
    "summary": "List roles",
    "scope": "read:roles",
    "lifecycle": "not shown",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "2.1",
      "assumed": [
        "how name_filter matches",
        "message for a missing owner_id"
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
      "name_filter",
      "type",
      "owner_id"
    ],
    "selects": {
      "type": "tenant"
    },
    "byName": "name_filter",
    "paging": {
      "style": "page",
      "items": "roles",
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
    "id": "create_role",
    "api": "full",
    "method": "POST",
    "path": "/roles",
    "summary": "Create a role",
    "scope": "create:roles",
    "lifecycle": "not shown",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "2.1",
      "assumed": [
        "body of a conflict",
        "message for a missing owner_id"
      ]
    },
    "body": {
      ...shapes.createBody,
      "encodings": [
        "application/json",
        "application/x-www-form-urlencoded"
      ]
    },
    "response": shapes.live
  },
  "update": {
    "id": "update_role",
    "api": "full",
    "method": "PATCH",
    "path": "/roles/{id}",
    "summary": "Update a role",
    "scope": "update:roles",
    "lifecycle": "not shown",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "2.1",
      "assumed": [
        "response for an unknown role",
        "response for a name in use",
        "an empty description clears it"
      ]
    },
    "params": shapes.params,
    "body": {
      ...shapes.updateBody,
      "encodings": [
        "application/json",
        "application/x-www-form-urlencoded"
      ]
    },
    "response": shapes.live
  },
  "delete": {
    "id": "delete_role",
    "api": "full",
    "method": "DELETE",
    "path": "/roles/{id}",
    "summary": "Delete a role",
    "scope": "delete:roles",
    "lifecycle": "not shown",
    "success": 200,
    "goneStatus": 404,
    "basis": {
      "source": "public",
      "section": "2.1",
      "assumed": [
        "deleting a role that has permissions"
      ]
    },
    "params": shapes.params,
    "response": shapes.deleteResponse
  }
} satisfies ResourceOperations;

export const description = {
  ...head,
  "section": shapes.section,
  "at": "list",
  "key": [
    "name"
  ],
  "id": "id",
  "resources": {
    "permissions": {
      "at": "set",
      "noun": {
        "one": "permission",
        "many": "permissions"
      },
      "key": [
        "resource_server_identifier",
        "permission_name"
      ],
      "id": "id",
      "fields": {
        "resource_server_identifier": {
          "required": true,
          "identity": true,
          "ref": {
            "to": "resource_servers",
            "by": "identifier",
            "gone": "dropped"
          }
        },
        "permission_name": {
          "required": true,
          "identity": true
        }
      },
      "operations": {
        "list": {
          "id": "list_role_permissions",
          "api": "full",
          "method": "GET",
          "path": "/roles/{id}/permissions",
          "summary": "List permissions",
          "scope": "read:roles",
          "lifecycle": "not shown",
          "success": 200,
          "basis": {
            "source": "public",
            "section": "2.1",
            "assumed": [
              "order across APIs",
              "message of a 404"
            ]
          },
          "params": shapes.params,
          "query": {
            ...shapes.permissionsListQuery,
            "integers": [
              "page",
              "per_page"
            ]
          },
          "response": shapes.permissionsPage,
          "item": shapes.permissionsLive,
          "of": get,
          "paging": {
            "style": "page",
            "items": "permissions",
            "identity": [
              "resource_server_identifier",
              "permission_name"
            ],
            "maxTake": 100,
            "defaultTake": 50
          },
          "lacking": [
            ...notOnTenant
          ]
        },
        "add": {
          "id": "add_role_permissions",
          "api": "full",
          "method": "POST",
          "path": "/roles/{id}/permissions",
          "summary": "Add permissions",
          "scope": "update:roles",
          "lifecycle": "not shown",
          "success": 201,
          "basis": {
            "source": "public",
            "section": "2.1",
            "assumed": [
              "adding a pair that the role already has",
              "response for an unknown permission",
              "message for an unknown role",
              "keys of a form-encoded body"
            ]
          },
          "params": shapes.params,
          "body": {
            ...shapes.permissionsAddBody,
            "encodings": [
              "application/json",
              "application/x-www-form-urlencoded"
            ]
          },
          "response": shapes.permissionsAddResponse,
          "elements": {
            "body": {
              "permissions": "$elements"
            }
          }
        },
        "remove": {
          "id": "remove_role_permissions",
          "api": "documented",
          "method": "DELETE",
          "path": "/roles/{id}/permissions",
          "summary": "Remove permissions",
          "scope": "update:roles",
          "lifecycle": "not shown",
          "success": 204,
          "basis": {
            "source": "documented",
            "section": "4.3",
            "assumed": [
              "scope",
              "success status",
              "error responses",
              "keys of a form-encoded body"
            ]
          },
          "params": shapes.params,
          "body": {
            ...shapes.permissionsRemoveBody,
            "encodings": [
              "application/json",
              "application/x-www-form-urlencoded"
            ]
          },
          "elements": {
            "body": {
              "permissions": "$elements"
            }
          }
        }
      },
      "resources": {},
      "short": "resource_server_identifier",
      "absent": "absent_permissions",
      "maxItems": 1000,
      "refs": [
        "resource_servers/{resource_server_identifier}/scopes/{permission_name}"
      ],
      "access": {
        "holder": [
          "^"
        ],
        "thing": [
          "resource_server_identifier",
          "permission_name"
        ]
      }
    }
  },
  "byId": true,
  "creates": "fields",
  "skip": [
    {
      "when": {
        "type": "organization"
      },
      "unless": "declared",
      "why": "a role of an organization"
    }
  ],
  "fields": fields,
  "operations": operations
} satisfies KindDescription;
