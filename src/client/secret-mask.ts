/** Texts that must not be shown, however they came into a message: a service can echo what it was sent. */
export interface SecretMask {
  hide(secret: string): void;
  /** The text without secrets, on one line, cut to what a message can carry. */
  clean(text: string): string;
}

const longest = 300;

export function secretMask(): SecretMask {
  const hidden = new Set<string>();
  const hide = (secret: string) => {
    for (const form of [secret, encodeURIComponent(secret), new URLSearchParams({ '': secret }).toString().slice(1)])
      hidden.add(form);
    hidden.delete('');
  };
  const clean = (text: string) => {
    // The longest first, so that no part of one secret survives the removal of another.
    const masked = [...hidden]
      .sort((a, b) => b.length - a.length)
      .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
    const line = masked.replaceAll(/\s+/g, ' ').trim();
    return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
  };
  return { hide, clean };
}
