// Generated from schemas/rate-limit-policies.schema.json by npm run generate.
import type { Fields } from '../../model/field.ts';

export const fields: Fields = {
  "resource": {
    "identity": true,
    "default": "oauth_authentication_api",
    "values": [
      "oauth_authentication_api"
    ]
  },
  "consumer": {
    "identity": true,
    "default": "client",
    "values": [
      "client"
    ]
  },
  "consumer_selector": {
    "required": true,
    "identity": true
  },
  "configuration": {
    "required": true,
    "patch": "replace",
    "tag": "action",
    "forms": {
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
};
