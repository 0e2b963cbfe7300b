// Generated from schemas/attack-protection.schema.json by npm run generate.

export type Enabled = boolean;
/**
 * What happens after too many failed logins.
 */
export type Shields = ('block' | 'user_notification')[];
/**
 * IP addresses and ranges that are never blocked.
 */
export type Allowlist = string[];
export type Mode = 'count_per_identifier_and_ip' | 'count_per_identifier';
export type MaxAttempts = number;
export type Enabled1 = boolean;
/**
 * What happens after too many attempts.
 */
export type Shields1 = ('block' | 'admin_notification')[];
/**
 * IP addresses and ranges that are never blocked.
 */
export type Allowlist1 = string[];
export type Enabled2 = boolean;
/**
 * What happens at a login with a breached password.
 */
export type Shields2 = ('block' | 'user_notification' | 'admin_notification')[];
export type AdminNotificationFrequency = ('immediately' | 'daily' | 'weekly' | 'monthly')[];
export type Method = 'standard' | 'enhanced';
/**
 * How easily a login counts as one of a bot.
 */
export type BotDetectionLevel = 'low' | 'medium' | 'high';
export type ChallengePasswordPolicy = 'never' | 'when_risky' | 'always';
export type ChallengePasswordlessPolicy = 'never' | 'when_risky' | 'always';
export type ChallengePasswordResetPolicy = 'never' | 'when_risky' | 'always';
/**
 * IP addresses and ranges that never get a CAPTCHA.
 */
export type Allowlist2 = string[];
/**
 * Bots are counted, and no CAPTCHA is shown.
 */
export type MonitoringModeEnabled = boolean;
export type ActiveProvider =
  | 'arkose'
  | 'auth_challenge'
  | 'friendly_captcha'
  | 'hcaptcha'
  | 'recaptcha_v2'
  | 'recaptcha_enterprise'
  | 'simple_captcha';
/**
 * Exactly ${env:NAME}: an environment variable that contains the secret. It is read only when the secret is sent.
 */
export type SecretReference = string;
export type Type = 'exponential' | 'default';

/**
 * Settings that protect logins against attacks. Two of them need a feature of the subscription.
 */
export interface AttackProtectionSection {
  brute_force_protection?: BruteForceProtection;
  suspicious_ip_throttling?: SuspiciousIPThrottling;
  breached_password_detection?: BreachedPasswordDetection;
  bot_detection?: BotDetection;
  captcha?: CAPTCHA;
  phone_provider_protection?: PhoneProviderProtection;
}
/**
 * Blocks an IP address after failed logins to one account.
 */
export interface BruteForceProtection {
  enabled?: Enabled;
  shields?: Shields;
  allowlist?: Allowlist;
  mode?: Mode;
  max_attempts?: MaxAttempts;
}
/**
 * Slows down an IP address that tries many accounts.
 */
export interface SuspiciousIPThrottling {
  enabled?: Enabled1;
  shields?: Shields1;
  allowlist?: Allowlist1;
  stage?: Stages;
}
/**
 * The limits of an IP address, for each kind of attempt.
 */
export interface Stages {
  'pre-login'?: PreLogin;
  'pre-user-registration'?: PreUserRegistration;
  'pre-custom-token-exchange'?: PreCustomTokenExchange;
}
export interface PreLogin {
  max_attempts?: number;
  /**
   * Milliseconds after which one more attempt is allowed.
   */
  rate?: number;
}
export interface PreUserRegistration {
  max_attempts?: number;
  /**
   * Milliseconds after which one more sign-up is allowed.
   */
  rate?: number;
}
export interface PreCustomTokenExchange {
  max_attempts?: number;
  /**
   * Milliseconds after which one more exchange is allowed.
   */
  rate?: number;
}
/**
 * Reacts to passwords that were published in a breach of another service.
 */
export interface BreachedPasswordDetection {
  enabled?: Enabled2;
  shields?: Shields2;
  admin_notification_frequency?: AdminNotificationFrequency;
  method?: Method;
  stage?: Stages1;
}
export interface Stages1 {
  'pre-user-registration'?: PreUserRegistration1;
  'pre-change-password'?: PreChangePassword;
}
export interface PreUserRegistration1 {
  shields?: ('block' | 'admin_notification')[];
}
export interface PreChangePassword {
  shields?: ('block' | 'admin_notification')[];
}
/**
 * Shows a CAPTCHA to logins that bots may have sent. It needs a feature of the subscription.
 */
export interface BotDetection {
  bot_detection_level?: BotDetectionLevel;
  challenge_password_policy?: ChallengePasswordPolicy;
  challenge_passwordless_policy?: ChallengePasswordlessPolicy;
  challenge_password_reset_policy?: ChallengePasswordResetPolicy;
  allowlist?: Allowlist2;
  monitoring_mode_enabled?: MonitoringModeEnabled;
}
/**
 * The provider of CAPTCHAs. It needs the same feature as bot detection.
 */
export interface CAPTCHA {
  active_provider_id?: ActiveProvider;
  arkose?: Arkose;
  auth_challenge?: AuthChallenge;
  hcaptcha?: Hcaptcha;
  friendly_captcha?: FriendlyCaptcha;
  recaptcha_v2?: RecaptchaV2;
  recaptcha_enterprise?: RecaptchaEnterprise;
}
export interface Arkose {
  site_key: string;
  secret: SecretReference;
  client_subdomain?: string;
  verify_subdomain?: string;
  /**
   * Logins continue while the provider is not available.
   */
  fail_open?: boolean;
}
export interface AuthChallenge {
  /**
   * Logins continue while the provider is not available.
   */
  fail_open: boolean;
}
export interface Hcaptcha {
  site_key: string;
  secret: SecretReference;
}
export interface FriendlyCaptcha {
  site_key: string;
  secret: SecretReference;
}
export interface RecaptchaV2 {
  site_key: string;
  secret: SecretReference;
}
export interface RecaptchaEnterprise {
  site_key: string;
  api_key: SecretReference;
  project_id: string;
}
/**
 * Limits how often codes are sent to a phone number.
 */
export interface PhoneProviderProtection {
  type?: Type;
}
export interface UpdateProtectionBruteForceProtectionBody {
  enabled?: Enabled;
  shields?: Shields;
  allowlist?: Allowlist;
  mode?: Mode;
  max_attempts?: MaxAttempts;
}
/**
 * Protection brute force protection as the service returns it; other fields are tolerated.
 */
export interface LiveProtectionBruteForceProtection {
  enabled?: Enabled;
  shields?: string[];
  allowlist?: Allowlist;
  mode?: string;
  max_attempts?: number;
  [k: string]: unknown;
}
export interface UpdateProtectionSuspiciousIpThrottlingBody {
  enabled?: Enabled1;
  shields?: Shields1;
  allowlist?: Allowlist1;
  stage?: Stages;
}
export interface LiveStages {
  'pre-login'?: LivePreLogin;
  'pre-user-registration'?: LivePreUserRegistration;
  'pre-custom-token-exchange'?: LivePreCustomTokenExchange;
  [k: string]: unknown;
}
export interface LivePreLogin {
  max_attempts?: number;
  rate?: number;
  [k: string]: unknown;
}
export interface LivePreUserRegistration {
  max_attempts?: number;
  rate?: number;
  [k: string]: unknown;
}
export interface LivePreCustomTokenExchange {
  max_attempts?: number;
  rate?: number;
  [k: string]: unknown;
}
/**
 * Protection suspicious ip throttling as the service returns it; other fields are tolerated.
 */
export interface LiveProtectionSuspiciousIpThrottling {
  enabled?: Enabled1;
  shields?: string[];
  allowlist?: Allowlist1;
  stage?: LiveStages;
  [k: string]: unknown;
}
export interface UpdateProtectionBreachedPasswordDetectionBody {
  enabled?: Enabled2;
  shields?: Shields2;
  admin_notification_frequency?: AdminNotificationFrequency;
  method?: Method;
  stage?: Stages1;
}
export interface LiveStages1 {
  'pre-user-registration'?: LivePreUserRegistration1;
  'pre-change-password'?: LivePreChangePassword;
  [k: string]: unknown;
}
export interface LivePreUserRegistration1 {
  shields?: string[];
  [k: string]: unknown;
}
export interface LivePreChangePassword {
  shields?: string[];
  [k: string]: unknown;
}
/**
 * Protection breached password detection as the service returns it; other fields are tolerated.
 */
export interface LiveProtectionBreachedPasswordDetection {
  enabled?: Enabled2;
  shields?: string[];
  admin_notification_frequency?: string[];
  method?: string;
  stage?: LiveStages1;
  [k: string]: unknown;
}
export interface UpdateProtectionBotDetectionBody {
  bot_detection_level?: BotDetectionLevel;
  challenge_password_policy?: ChallengePasswordPolicy;
  challenge_passwordless_policy?: ChallengePasswordlessPolicy;
  challenge_password_reset_policy?: ChallengePasswordResetPolicy;
  allowlist?: Allowlist2;
  monitoring_mode_enabled?: MonitoringModeEnabled;
}
/**
 * Protection bot detection as the service returns it; other fields are tolerated.
 */
export interface LiveProtectionBotDetection {
  bot_detection_level?: string;
  challenge_password_policy?: string;
  challenge_passwordless_policy?: string;
  challenge_password_reset_policy?: string;
  allowlist?: Allowlist2;
  monitoring_mode_enabled?: MonitoringModeEnabled;
  [k: string]: unknown;
}
export interface CaptchaUpdatedArkose {
  site_key: string;
  secret: string;
  client_subdomain?: string;
  verify_subdomain?: string;
  fail_open?: boolean;
}
export interface CaptchaUpdatedHcaptcha {
  site_key: string;
  secret: string;
}
export interface CaptchaUpdatedFriendlyCaptcha {
  site_key: string;
  secret: string;
}
export interface CaptchaUpdatedRecaptchaV2 {
  site_key: string;
  secret: string;
}
export interface CaptchaUpdatedRecaptchaEnterprise {
  site_key: string;
  api_key: string;
  project_id: string;
}
export interface UpdateProtectionCaptchaBody {
  active_provider_id?: ActiveProvider;
  arkose?: CaptchaUpdatedArkose;
  auth_challenge?: AuthChallenge;
  hcaptcha?: CaptchaUpdatedHcaptcha;
  friendly_captcha?: CaptchaUpdatedFriendlyCaptcha;
  recaptcha_v2?: CaptchaUpdatedRecaptchaV2;
  recaptcha_enterprise?: CaptchaUpdatedRecaptchaEnterprise;
  simple_captcha?: unknown;
}
export interface LiveArkose {
  site_key?: string;
  client_subdomain?: string;
  verify_subdomain?: string;
  fail_open?: boolean;
  [k: string]: unknown;
}
export interface LiveAuthChallenge {
  fail_open?: boolean;
  [k: string]: unknown;
}
export interface LiveHcaptcha {
  site_key?: string;
  [k: string]: unknown;
}
export interface LiveFriendlyCaptcha {
  site_key?: string;
  [k: string]: unknown;
}
export interface LiveRecaptchaV2 {
  site_key?: string;
  [k: string]: unknown;
}
export interface LiveRecaptchaEnterprise {
  site_key?: string;
  project_id?: string;
  [k: string]: unknown;
}
/**
 * Protection captcha as the service returns it; other fields are tolerated.
 */
export interface LiveProtectionCaptcha {
  active_provider_id?: string;
  arkose?: LiveArkose;
  auth_challenge?: LiveAuthChallenge;
  hcaptcha?: LiveHcaptcha;
  friendly_captcha?: LiveFriendlyCaptcha;
  recaptcha_v2?: LiveRecaptchaV2;
  recaptcha_enterprise?: LiveRecaptchaEnterprise;
  simple_captcha?: unknown;
  [k: string]: unknown;
}
export interface UpdateProtectionPhoneProviderProtectionBody {
  type: Type;
}
/**
 * Protection phone provider protection as the service returns it; other fields are tolerated.
 */
export interface LiveProtectionPhoneProviderProtection {
  type: string;
  [k: string]: unknown;
}
/**
 * Section of the embedded tenant's seed.
 */
export interface SeededProtections {
  brute_force_protection?: LiveProtectionBruteForceProtection | null;
  suspicious_ip_throttling?: LiveProtectionSuspiciousIpThrottling | null;
  breached_password_detection?: LiveProtectionBreachedPasswordDetection | null;
  bot_detection?: LiveProtectionBotDetection | null;
  captcha?: LiveProtectionCaptcha | null;
  phone_provider_protection?: LiveProtectionPhoneProviderProtection | null;
}
