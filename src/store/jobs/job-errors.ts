import { z } from 'zod'
import { type ErrorCode, errorCodes, type StoredError } from '../../platform/errors.ts'
import { storedJson } from '../stored-json.ts'

const known = new Set<string>(errorCodes)

const column = storedJson(
  { table: 'jobs', column: 'error' },
  z.object({
    // A code that another version knew.
    code: z.string().transform((code): ErrorCode => (isKnown(code) ? code : 'INTERNAL')),
    // Where nothing may be kept of a job, its error is a code alone.
    error: z.string().default(''),
    detail: z.record(z.string(), z.unknown()).default({}),
  }),
)

function isKnown(code: string): code is ErrorCode {
  return known.has(code)
}

export function writeError({ code, error, detail }: StoredError): string {
  return column.write({ code, error, detail })
}

/** Why a job failed; undefined where nothing is on record. */
export function readError(text: string | null): StoredError | undefined {
  return text === null ? undefined : column.read(text)
}

/** For `like`: an error with this code, which is written first. */
export const withCode = (code: string) => `{"code":"${code}"%`
