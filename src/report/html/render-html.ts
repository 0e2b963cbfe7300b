import type { ReportDocument } from '../document.ts';
import type { FormatContext, Renderer } from '../formats.ts';
import { composeDrift } from '../view/compose-drift.ts';
import { composeOutcomes } from '../view/compose-outcomes.ts';
import { composePlan } from '../view/compose-plan.ts';
import { type Article, pageEnd, pageStart } from './page.ts';
import { problemsArticle, problemsMarkup } from './problems.ts';
import { pullArticle } from './pull-article.ts';
import { openSideBySide, type SideBySide } from './side-by-side.ts';
import { viewArticle } from './view-article.ts';

/** One page for people, with everything in it: an article for each document. */
export const htmlOf: Renderer = function* (documents, context) {
  const sideBySide = openSideBySide();
  const others = documents.length - 1;
  let index = 0;
  for (const document of documents) {
    index += 1;
    const { title, body } = articleOf(document, context, sideBySide, others === 0 ? '' : `${index}-`);
    if (index === 1) yield pageStart(others === 0 ? title : `${title} and ${others} more`);
    yield body.text;
  }
  yield pageEnd;
};

const detail = 'full';

function articleOf(document: ReportDocument, context: FormatContext, sideBySide: SideBySide, prefix: string): Article {
  const { kinds } = context;
  const made = (time: string) => [{ label: 'made', text: `${time} by tenant-sync ${context.version}` }];
  switch (document.type) {
    case 'plan':
    case 'drift': {
      const { plan, diagnostics, type } = document;
      const view =
        type === 'plan'
          ? composePlan(plan, kinds, { ...context, detail })
          : composeDrift(plan, kinds, { ...context, detail });
      // The refusals of a plan have a section of their own.
      const others = diagnostics.filter(({ code }) => code !== 'GUARD_REFUSED');
      const warnings = others.length === 0 ? null : problemsMarkup(others, `${prefix}problems`);
      return viewArticle(view, { sideBySide, prefix, warnings, closing: made(plan.generated_at) });
    }
    case 'outcomes': {
      const { outcomes } = document;
      const view = composeOutcomes(outcomes, kinds, { ...context, detail });
      return viewArticle(view, { sideBySide, prefix, warnings: null, closing: made(outcomes.plan.generated_at) });
    }
    case 'pull':
      return pullArticle(document.pull, sideBySide, prefix);
    case 'diagnostics':
      return problemsArticle(document, prefix);
  }
}
