// Generated from src/kinds/clients/kind.yaml by npm run generate.
import type { KindHead } from '../../model/kind.ts';

export const head = {
  "name": "clients",
  "title": "Clients",
  "noun": {
    "one": "client",
    "many": "clients"
  },
  "label": "client",
  "undeclared": "report",
  "hasSecrets": true,
  "needs": [
    "resource_servers"
  ]
} satisfies KindHead;
