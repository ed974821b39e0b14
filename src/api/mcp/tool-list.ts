import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Tool } from './tool.ts'
import * as toolList from './tools/all.ts'

/** In a fixed order: clients cache the list. */
export const tools: Tool[] = Object.values(toolList).sort((left, right) =>
  left.name.localeCompare(right.name),
)

/** The tools as clients list them. */
export const listedTools: ListedTool[] = tools.map(({ name, title, description, hints, input }) => ({
  name,
  title,
  description,
  inputSchema: inputSchema(input),
  annotations: { title, ...hints },
}))

function inputSchema(input: z.ZodObject): ListedTool['inputSchema'] {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', reused: 'inline' })
  // The schema of an object is one of an object; its type does not say so.
  return schema as ListedTool['inputSchema']
}
