/** Texts of YAML files, as short as the schemas allow. */

/** One item of `rate_limit_policies`. */
export const policyItem = (selector: string, configuration = '{ action: allow }'): string =>
  [
    '  - resource: oauth_authentication_api',
    '    consumer: client',
    `    consumer_selector: ${selector}`,
    `    configuration: ${configuration}`,
    '',
  ].join('\n');

/** A section of one policy. */
export const policyFile = (configuration: string, selector = 'default'): string =>
  `rate_limit_policies:\n${policyItem(selector, configuration)}`;

/** A section of policies that allow everything. */
export const policiesFile = (...selectors: string[]): string =>
  `rate_limit_policies:\n${selectors.map((selector) => policyItem(selector)).join('')}`;

/** A section of one prompt with one text. */
export const loginFile = (text: string): string =>
  `prompts:\n  login:\n    partials:\n      login:\n        start: ${text}\n`;
