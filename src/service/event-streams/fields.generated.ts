// Generated from schemas/event-streams.schema.json by npm run generate.
import type { Fields } from '../../model/field.ts';

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
      "replace": true,
      "fields": {
        "event_type": {
          "required": true,
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
            "replace": true,
            "fields": {
              "webhook_endpoint": {
                "required": true
              },
              "webhook_authorization": {
                "replace": true,
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
                        "secret": "hidden",
                        "omitted": "kept"
                      }
                    },
                    "bearer": {
                      "method": {
                        "required": true
                      },
                      "token": {
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
            "replace": true,
            "fields": {
              "aws_account_id": {
                "required": true
              },
              "aws_region": {
                "required": true
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
            "replace": true,
            "fields": {
              "action_id": {
                "required": true
              }
            }
          }
        }
      }
    }
  }
};
