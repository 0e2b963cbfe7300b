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
      "fields": {
        "event_type": {
          "required": true
        }
      }
    }
  },
  "destination": {
    "required": true,
    "patch": "replace",
    "tag": "type",
    "forms": {
      "webhook": {
        "type": {
          "required": true
        },
        "configuration": {
          "required": true,
          "fields": {
            "webhook_endpoint": {
              "required": true
            },
            "webhook_authorization": {
              "tag": "method",
              "forms": {
                "basic": {
                  "method": {
                    "required": true
                  },
                  "username": {
                    "required": true
                  },
                  "password": {
                    "secret": true
                  }
                },
                "bearer": {
                  "method": {
                    "required": true
                  },
                  "token": {
                    "secret": true
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
                    "secret": true
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
              "required": true
            }
          }
        }
      }
    }
  }
};
