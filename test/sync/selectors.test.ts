import { expect, test } from 'vitest';
import { selectionProblems } from '../../src/engine/selectors.ts';
import { kinds } from '../../src/kinds/index.ts';

test.each([
  [{ only: ['roles'], except: ['roles'] }, 1],
  [{ only: ['roles/A'], except: ['roles/*'] }, 1],
  [{ only: [], except: kinds.map(({ name }) => name) }, 0],
  [{ only: ['roles'], except: ['roles/A'] }, 0],
  [{ only: ['roles', 'prompts'], except: ['roles'] }, 0],
])('--only and --except that select nothing together are an error: %j', (selection, problems) => {
  expect(selectionProblems({ ...selection, rotate: [] }, kinds)).toHaveLength(problems);
});
