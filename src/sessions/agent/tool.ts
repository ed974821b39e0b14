import type { Locator, Page } from 'playwright-core'
import { z } from 'zod'
import type { ToolOffer } from '../../platform/ports/language-model.ts'
import type { AllowedSites } from './allowed-sites.ts'
import type { SecretSites } from './secret-sites.ts'
import type { Secrets } from './secrets.ts'

/** What a tool works with. */
export interface Scene {
  page: Page
  allowedSites: AllowedSites
  secrets: Secrets
  /** The sites that each secret of the prompt may be sent to. */
  secretSites: SecretSites
  /** How long it may take. */
  timeoutMs: number
  /** The element of the latest outline; rejects unknown refs. */
  element(ref: string): Locator
  acceptDialogs(isAccepting: boolean): void
  /** Which part of the outline is shown next. */
  showPart(part: number): void
}

export interface Report {
  /** What was done, as our own text. */
  outcome: string
  /** Page text, which the model gets between marks. */
  pageText?: string
}

/** One thing the model can do in the browser. */
export interface AgentTool {
  name: string
  offer: ToolOffer
  /** It may change the page, so a new outline follows. */
  acts: boolean
  /** Description of this call for people: the relevant arguments, without secrets. */
  describe(given: Record<string, unknown>): string
  run(scene: Scene, given: Record<string, unknown>): Promise<Report>
}

interface ToolDefinition<Fields extends z.ZodRawShape> {
  name: string
  description: string
  fields: Fields
  acts: boolean
  describe?: (fields: z.output<z.ZodObject<Fields>>) => string
  run(scene: Scene, fields: z.output<z.ZodObject<Fields>>): Promise<Report>
}

export function defineTool<Fields extends z.ZodRawShape>(definition: ToolDefinition<Fields>): AgentTool {
  const { name, description, acts } = definition
  // Models add unknown arguments; these are ignored rather than rejected.
  const fields = z.object(definition.fields)
  const { $schema: _, ...schema } = z.toJSONSchema(fields, { io: 'input' })
  // The model's arguments were already validated against this schema.
  const read = (given: Record<string, unknown>) => fields.parse(given) as z.output<z.ZodObject<Fields>>
  return {
    name,
    acts,
    offer: { name, description, schema },
    describe: (given) => definition.describe?.(read(given)) ?? '',
    run: (scene, given) => definition.run(scene, read(given)),
  }
}

/** The model requested something that is not allowed; the message is for the model. */
export class Refusal extends Error {}

export const ref = z
  .string()
  .regex(/^(f\d+)?e\d+$/)
  .describe('Ref of an element in the latest outline, such as e12.')
