// Generated from schemas/resource-servers.schema.json by npm run generate.
import type { Fields } from '../../model/field.ts';

export const fields: Fields = {
  "identifier": {
    "required": true,
    "identity": true
  },
  "scopes": {
    "required": true,
    "list": "key",
    "key": "value",
    "items": {
      "replace": true,
      "fields": {
        "value": {
          "required": true
        },
        "description": {
          "none": ""
        }
      }
    }
  }
};
