import type { Locator, Page } from 'playwright-core'
import { z } from 'zod'
import type { ToolOffer } from '../../platform/ports/language-model.ts'
import type { AllowedSites } from './allowed-sites.ts'
import type { SecretSites } from './secret-sites.ts'
import type { Secrets } from './secrets.ts'

export interface ToolContext {
  page: Page
  allowedSites: AllowedSites
  secrets: Secrets
  secretSites: SecretSites
  timeoutMs: number
  element(ref: string): Locator
  acceptDialogs(isAccepting: boolean): void
  showPart(part: number): void
}

export interface Report {
  outcome: string
  /** Page text, which the model gets between markers. */
  pageText?: string
}

export type AgentTool = ReturnType<typeof defineTool>

interface ToolDefinition<Fields extends z.ZodRawShape> {
  name: string
  description: string
  fields: Fields
  /** False if the tool never changes the page, so that no new outline follows. */
  changesPage?: false
  /** Returns the relevant arguments of a call as text, without secrets. */
  describe?: (fields: z.output<z.ZodObject<Fields>>) => string
  run(context: ToolContext, fields: z.output<z.ZodObject<Fields>>): Promise<Report>
}

export function defineTool<Fields extends z.ZodRawShape>(definition: ToolDefinition<Fields>) {
  const { name, description, changesPage = true } = definition
  // Models add unknown arguments; these are ignored rather than rejected.
  const fields = z.object(definition.fields)
  const { $schema: _, ...schema } = z.toJSONSchema(fields, { io: 'input' })
  // The model's arguments were already validated against this schema.
  const parseArgs = (args: Record<string, unknown>) => fields.parse(args) as z.output<z.ZodObject<Fields>>
  return {
    name,
    changesPage,
    offer: { name, description, schema } satisfies ToolOffer,
    describe: (args: Record<string, unknown>) => definition.describe?.(parseArgs(args)) ?? '',
    run: (context: ToolContext, args: Record<string, unknown>) => definition.run(context, parseArgs(args)),
  }
}

export class RejectedCallError extends Error {}

export const ref = z
  .string()
  .regex(/^(f\d+)?e\d+$/)
  .describe('Ref of an element in the latest outline, such as e12.')
