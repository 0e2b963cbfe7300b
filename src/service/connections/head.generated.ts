// Generated from src/kinds/connections/kind.yaml by npm run generate.
import type { KindHead } from '../../model/kind.ts';

export const head = {
  "name": "connections",
  "title": "Connections",
  "noun": {
    "one": "connection",
    "many": "connections"
  },
  "label": "connection",
  "undeclared": "report",
  "hasSecrets": true,
  "needs": [
    "clients"
  ],
  "goneWith": [
    "clients"
  ]
} satisfies KindHead;
