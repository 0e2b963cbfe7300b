// Generated from schemas/attack-protection.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactBotDetectionLive, exactBreachedPasswordDetectionLive, exactBruteForceProtectionLive, exactCaptchaLive, exactPhoneProviderProtectionLive, exactSuspiciousIpThrottlingLive } from './exact-validators.generated.ts';
import { tolerantBotDetectionLive, tolerantBreachedPasswordDetectionLive, tolerantBruteForceProtectionLive, tolerantCaptchaLive, tolerantPhoneProviderProtectionLive, tolerantSuspiciousIpThrottlingLive } from './tolerant-validators.generated.ts';
import { validateSection } from './section-validators.generated.ts';
import type { LiveProtectionBotDetection, LiveProtectionBreachedPasswordDetection, LiveProtectionBruteForceProtection, LiveProtectionCaptcha, LiveProtectionPhoneProviderProtection, LiveProtectionSuspiciousIpThrottling, UpdateProtectionBotDetectionBody, UpdateProtectionBreachedPasswordDetectionBody, UpdateProtectionBruteForceProtectionBody, UpdateProtectionCaptchaBody, UpdateProtectionPhoneProviderProtectionBody, UpdateProtectionSuspiciousIpThrottlingBody } from './types.generated.ts';
import { validateBotDetectionLive, validateBotDetectionUpdateBody, validateBreachedPasswordDetectionLive, validateBreachedPasswordDetectionUpdateBody, validateBruteForceProtectionLive, validateBruteForceProtectionUpdateBody, validateCaptchaLive, validateCaptchaUpdateBody, validatePhoneProviderProtectionLive, validatePhoneProviderProtectionUpdateBody, validateSuspiciousIpThrottlingLive, validateSuspiciousIpThrottlingUpdateBody } from './validators.generated.ts';

export const shapes = {
  section: shape<unknown>('attack-protection.schema.json', validateSection),
  bruteForceProtectionUpdateBody: shape<UpdateProtectionBruteForceProtectionBody>('attack-protection.schema.json#/$defs/brute_force_protection_update_body', validateBruteForceProtectionUpdateBody),
  bruteForceProtectionLive: readShape<LiveProtectionBruteForceProtection>('attack-protection.schema.json#/$defs/brute_force_protection_live', validateBruteForceProtectionLive, { exact: exactBruteForceProtectionLive, tolerant: tolerantBruteForceProtectionLive }),
  suspiciousIpThrottlingUpdateBody: shape<UpdateProtectionSuspiciousIpThrottlingBody>('attack-protection.schema.json#/$defs/suspicious_ip_throttling_update_body', validateSuspiciousIpThrottlingUpdateBody),
  suspiciousIpThrottlingLive: readShape<LiveProtectionSuspiciousIpThrottling>('attack-protection.schema.json#/$defs/suspicious_ip_throttling_live', validateSuspiciousIpThrottlingLive, { exact: exactSuspiciousIpThrottlingLive, tolerant: tolerantSuspiciousIpThrottlingLive }),
  breachedPasswordDetectionUpdateBody: shape<UpdateProtectionBreachedPasswordDetectionBody>('attack-protection.schema.json#/$defs/breached_password_detection_update_body', validateBreachedPasswordDetectionUpdateBody),
  breachedPasswordDetectionLive: readShape<LiveProtectionBreachedPasswordDetection>('attack-protection.schema.json#/$defs/breached_password_detection_live', validateBreachedPasswordDetectionLive, { exact: exactBreachedPasswordDetectionLive, tolerant: tolerantBreachedPasswordDetectionLive }),
  botDetectionUpdateBody: shape<UpdateProtectionBotDetectionBody>('attack-protection.schema.json#/$defs/bot_detection_update_body', validateBotDetectionUpdateBody),
  botDetectionLive: readShape<LiveProtectionBotDetection>('attack-protection.schema.json#/$defs/bot_detection_live', validateBotDetectionLive, { exact: exactBotDetectionLive, tolerant: tolerantBotDetectionLive }),
  captchaUpdateBody: shape<UpdateProtectionCaptchaBody>('attack-protection.schema.json#/$defs/captcha_update_body', validateCaptchaUpdateBody),
  captchaLive: readShape<LiveProtectionCaptcha>('attack-protection.schema.json#/$defs/captcha_live', validateCaptchaLive, { exact: exactCaptchaLive, tolerant: tolerantCaptchaLive }),
  phoneProviderProtectionUpdateBody: shape<UpdateProtectionPhoneProviderProtectionBody>('attack-protection.schema.json#/$defs/phone_provider_protection_update_body', validatePhoneProviderProtectionUpdateBody),
  phoneProviderProtectionLive: readShape<LiveProtectionPhoneProviderProtection>('attack-protection.schema.json#/$defs/phone_provider_protection_live', validatePhoneProviderProtectionLive, { exact: exactPhoneProviderProtectionLive, tolerant: tolerantPhoneProviderProtectionLive }),
};
