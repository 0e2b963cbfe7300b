// Generated from x-codes of the schemas of kinds by npm run generate.

export type KindCode =
  | 'CONFIG_DUPLICATE_PERMISSION'
  | 'CONFIG_DUPLICATE_SCOPE'
  | 'CONFIG_ROLE_EMPTY'
  | 'CONFIG_ROLE_NAME_UNSUPPORTED'
  | 'CONFIG_UNKNOWN_INSERTION_POINT'
  | 'CONFIG_UNKNOWN_SCREEN';
