import type { ServiceError } from '../model/error.generated.ts';
import { validateError } from './error.generated.ts';
import { shape } from './shape.ts';

/** Body of an error answer: assumed, so nothing is decided on it and it is only shown. */
export const errorBody = shape<ServiceError>('error.schema.json', validateError);
