import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Tool } from './tool.ts'
import * as browserTools from './tools/browser.ts'
import * as jobTools from './tools/jobs.ts'
import * as pageTools from './tools/pages.ts'
import * as searchTools from './tools/search.ts'

const toolLists = { ...browserTools, ...jobTools, ...pageTools, ...searchTools }

/** All tools in a fixed order, because clients cache the list. */
export const tools: Tool[] = Object.values(toolLists).sort((left, right) =>
  left.name.localeCompare(right.name),
)

export const listedTools: ListedTool[] = tools.map(({ name, title, description, hints, input }) => ({
  name,
  title,
  description,
  inputSchema: inputSchema(input),
  annotations: { title, ...hints },
}))

function inputSchema(input: z.ZodObject): ListedTool['inputSchema'] {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', reused: 'inline' })
  // The cast is safe: the JSON schema of an object schema is an object, which its type does not express.
  return schema as ListedTool['inputSchema']
}
