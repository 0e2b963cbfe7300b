// Generated from src/kinds/rate-limit-policies/kind.yaml by npm run generate.
import type { KindHead } from '../../model/kind.ts';

export const head = {
  "name": "rate_limit_policies",
  "title": "Rate limit policies",
  "noun": {
    "one": "rate limit policy",
    "many": "rate limit policies"
  },
  "label": "policy",
  "keyHint": "consumer_selector",
  "undeclared": "delete",
  "needs": [
    "clients"
  ]
} satisfies KindHead;
