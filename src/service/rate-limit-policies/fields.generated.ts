// Generated from schemas/rate-limit-policies.schema.json by npm run generate.
import type { Fields } from '../../model/field.ts';

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
    "identity": true
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
