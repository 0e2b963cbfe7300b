// Generated from src/kinds/event-streams/kind.yaml by npm run generate.
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
  "status": {
    "values": [
      "enabled",
      "disabled"
    ]
  },
  "subscriptions": {
    "required": true,
    "list": "key",
    "key": "event_type",
    "items": {
      "fields": {
        "event_type": {
          "required": true,
          "omitted": "refused",
          "suggestions": [
            "connection.created",
            "connection.deleted",
            "connection.updated",
            "group.created",
            "group.deleted",
            "group.updated",
            "group.member.added",
            "group.member.deleted",
            "group.role.assigned",
            "group.role.deleted",
            "organization.created",
            "organization.deleted",
            "organization.updated",
            "organization.connection.added",
            "organization.connection.removed",
            "organization.connection.updated",
            "organization.group.role.assigned",
            "organization.group.role.deleted",
            "organization.member.added",
            "organization.member.deleted",
            "organization.member.role.assigned",
            "organization.member.role.deleted",
            "user.created",
            "user.deleted",
            "user.updated"
          ]
        }
      }
    }
  },
  "destination": {
    "required": true,
    "replace": true,
    "forms": {
      "by": "type",
      "of": {
        "webhook": {
          "type": {
            "required": true
          },
          "configuration": {
            "required": true,
            "fields": {
              "webhook_endpoint": {
                "required": true,
                "omitted": "refused"
              },
              "webhook_authorization": {
                "omitted": "refused",
                "forms": {
                  "by": "method",
                  "of": {
                    "basic": {
                      "method": {
                        "required": true
                      },
                      "username": {
                        "required": true
                      },
                      "password": {
                        "sides": "CU",
                        "secret": "hidden",
                        "omitted": "kept"
                      }
                    },
                    "bearer": {
                      "method": {
                        "required": true
                      },
                      "token": {
                        "sides": "CU",
                        "secret": "hidden",
                        "omitted": "kept"
                      }
                    },
                    "custom_header": {
                      "method": {
                        "required": true
                      },
                      "header_key": {
                        "required": true
                      },
                      "header_value": {
                        "sides": "CU",
                        "secret": "hidden",
                        "omitted": "kept"
                      }
                    }
                  }
                }
              }
            }
          }
        },
        "eventbridge": {
          "type": {
            "required": true
          },
          "configuration": {
            "required": true,
            "fields": {
              "aws_account_id": {
                "required": true
              },
              "aws_region": {
                "required": true
              },
              "aws_partner_event_source": {
                "sides": "R"
              }
            }
          }
        },
        "action": {
          "type": {
            "required": true
          },
          "configuration": {
            "required": true,
            "fields": {
              "action_id": {
                "required": true,
                "omitted": "refused"
              }
            }
          }
        }
      }
    }
  }
};

const get = {
  "id": "get_event_stream",
  "api": "full",
  "method": "GET",
  "path": "/event-streams/{id}",
  "summary": "Get an event stream",
  "scope": "read:event_streams",
  "lifecycle": "generally available",
  "success": 200,
  "basis": {
    "source": "public",
    "section": "4.1",
    "assumed": []
  },
  "params": shapes.params,
  "response": shapes.live
} satisfies ResourceOperations['get'];

export const operations = {
  "list": {
    "id": "list_event_streams",
    "api": "documented",
    "method": "GET",
    "path": "/event-streams",
    "summary": "List event streams",
    "scope": "read:event_streams",
    "lifecycle": "not shown",
    "success": 200,
    "basis": {
      "source": "documented",
      "section": "4.5",
      "assumed": [
        "scope",
        "success status",
        "error responses"
      ]
    },
    "query": {
      ...shapes.listQuery,
      "integers": [
        "take"
      ]
    },
    "response": shapes.page,
    "item": shapes.live,
    "paging": {
      "style": "cursor",
      "items": "eventStreams",
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
    "id": "create_event_stream",
    "api": "full",
    "method": "POST",
    "path": "/event-streams",
    "summary": "Create an event stream",
    "scope": "create:event_streams",
    "lifecycle": "generally available",
    "success": 201,
    "basis": {
      "source": "public",
      "section": "4.1",
      "assumed": [
        "body of a conflict",
        "a webhook without its secret is accepted"
      ]
    },
    "body": {
      ...shapes.createBody,
      "encodings": [
        "application/json"
      ]
    },
    "response": shapes.live
  },
  "get": get,
  "update": {
    "id": "update_event_stream",
    "api": "full",
    "method": "PATCH",
    "path": "/event-streams/{id}",
    "summary": "Update an event stream",
    "scope": "update:event_streams",
    "lifecycle": "generally available",
    "success": 200,
    "basis": {
      "source": "public",
      "section": "4.1",
      "assumed": [
        "a destination without its secret keeps the stored one",
        "a destination is replaced completely",
        "another type or another action is refused",
        "responses for a missing stream and for a name in use"
      ]
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
    "id": "delete_event_stream",
    "api": "full",
    "method": "DELETE",
    "path": "/event-streams/{id}",
    "summary": "Delete an event stream",
    "scope": "delete:event_streams",
    "lifecycle": "generally available",
    "success": 204,
    "basis": {
      "source": "public",
      "section": "4.1",
      "assumed": []
    },
    "params": shapes.params
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
  "resources": {},
  "fields": fields,
  "operations": operations
} satisfies KindDescription;
