// Generated from src/kinds/event-streams/kind.yaml by npm run generate.
import type { KindHead } from '../../model/kind.ts';

export const head = {
  "name": "event_streams",
  "title": "Event streams",
  "noun": {
    "one": "event stream",
    "many": "event streams"
  },
  "label": "stream",
  "keyHint": "NAME",
  "undeclared": "delete",
  "hasSecrets": true
} satisfies KindHead;
