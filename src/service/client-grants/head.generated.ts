// Generated from src/kinds/client-grants/kind.yaml by npm run generate.
import type { KindHead } from '../../model/kind.ts';

export const head = {
  "name": "client_grants",
  "title": "Client grants",
  "noun": {
    "one": "client grant",
    "many": "client grants"
  },
  "label": "grant",
  "undeclared": "report",
  "needs": [
    "clients",
    "resource_servers"
  ],
  "goneWith": [
    "clients",
    "resource_servers"
  ]
} satisfies KindHead;
