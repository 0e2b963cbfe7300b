import { shape } from '../../contract/shape.ts';
import { description } from '../../service/attack-protection/description.generated.ts';
import { validateSeed } from '../../service/attack-protection/seed-validators.generated.ts';
import type { Item } from '../items/item-store.ts';
import { objectAt, omitBelow } from '../items/item-values.ts';
import { servedGroup } from '../items/serve-group.ts';
import { badBody, refused } from '../refused.ts';

/** Bot detection and captcha need the same feature (public facts 9.1). */
const lacking = refused(403, 'insufficient_entitlement', 'Please upgrade your subscription to use bot detection');

/** What a provider of captchas needs in every PATCH that names it (public facts 9.6). */
const required: Readonly<Record<string, readonly string[]>> = {
  arkose: ['site_key', 'secret'],
  hcaptcha: ['site_key', 'secret'],
  friendly_captcha: ['site_key', 'secret'],
  recaptcha_v2: ['site_key', 'secret'],
  recaptcha_enterprise: ['site_key', 'api_key', 'project_id'],
};

/** PATCH merges, also inside `stage`, and replaces lists (public facts 9.1). */
export const attackProtectionTenant = servedGroup(
  description,
  {
    brute_force_protection: {
      initial: {
        enabled: true,
        shields: ['block', 'user_notification'],
        allowlist: [],
        mode: 'count_per_identifier_and_ip',
        max_attempts: 10,
      },
    },
    suspicious_ip_throttling: {
      initial: {
        enabled: true,
        shields: ['block', 'admin_notification'],
        allowlist: [],
        stage: {
          'pre-login': { max_attempts: 100, rate: 864_000 },
          'pre-user-registration': { max_attempts: 50, rate: 1_200 },
          'pre-custom-token-exchange': { max_attempts: 10, rate: 600_000 },
        },
      },
    },
    breached_password_detection: {
      initial: {
        enabled: false,
        shields: [],
        admin_notification_frequency: [],
        method: 'standard',
        stage: { 'pre-user-registration': { shields: [] }, 'pre-change-password': { shields: [] } },
      },
    },
    bot_detection: {
      initial: {
        bot_detection_level: 'medium',
        challenge_password_policy: 'never',
        challenge_passwordless_policy: 'never',
        challenge_password_reset_policy: 'never',
        allowlist: [],
        monitoring_mode_enabled: false,
      },
      lacking,
    },
    captcha: {
      initial: {
        active_provider_id: 'auth_challenge',
        arkose: { site_key: '', client_subdomain: 'client-api', verify_subdomain: 'verify-api', fail_open: false },
        auth_challenge: { fail_open: false },
        hcaptcha: { site_key: '' },
        friendly_captcha: { site_key: '' },
        recaptcha_v2: { site_key: '' },
        recaptcha_enterprise: { site_key: '', project_id: '' },
        simple_captcha: {},
      },
      lacking,
      refuse(body) {
        for (const provider of Object.keys(body))
          for (const name of required[provider] ?? [])
            if (!(name in objectAt(body, provider)))
              return badBody(`'Missing required property: ${name}' on property ${provider}`);
        return null;
      },
      show: (captcha: Item) => omitBelow(captcha, ['secret', 'api_key']),
    },
    phone_provider_protection: { initial: { type: 'default' } },
  },
  shape('attack-protection.schema.json#/$defs/seed', validateSeed),
);
