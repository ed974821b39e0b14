/** Personal data, for areas that read pages and files or ask for them. */
export { entities, redactionModes } from '../reading/redaction/found.ts'
export {
  movedPositions,
  type Redaction,
  redact,
  replaceStyles,
} from '../reading/redaction/redact.ts'
