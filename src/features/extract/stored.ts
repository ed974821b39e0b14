import { z } from 'zod'
import { storedShape } from '../../platform/json/stored-shape.ts'
import { storedJson } from '../../store/stored-json.ts'
import { extractRequest } from './schema.ts'

const inputColumn = { table: 'jobs', column: 'input' } as const

export const findKind = 'extract_find'
export const mergeKind = 'extract_merge'

/** Stored input of an extract: the fields of its status, without secrets of the caller. */
export const extractInput = storedJson(
  inputColumn,
  z.looseObject({
    urls: z.array(z.string()).default([]),
    prompt: z.string().optional(),
    schema: z.unknown().optional(),
    showSources: z.boolean().default(false),
    urlTrace: z.boolean().default(false),
    warnings: z.array(z.string()).default([]),
  }),
)

export type ExtractInput = ReturnType<typeof extractInput.read>

/** Stored input of the find job, which determines the pages of an extract. */
export const findInput = storedJson(
  inputColumn,
  z.object({
    request: storedShape(z.object(extractRequest.shape).omit({ webhook: true })),
    price: z.number(),
    mostLiving: z.number(),
  }),
)

export type FindInput = ReturnType<typeof findInput.read>

/** Result of the find job. */
export interface FindResult {
  schema: Record<string, unknown>
  pages: string[]
  notes: string[]
}

export const mergeInput = storedJson(inputColumn, z.object({}))
