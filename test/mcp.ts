import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { inject } from 'vitest'
import { type Json, teamKey } from './api.ts'

/** Protocol revision: the handshake of 2025 with sessions, or the stateless requests of 2026. */
export type Revision = 'legacy' | { pin: '2026-07-28' }

export const revisions: [string, Revision][] = [
  ['2025', 'legacy'],
  ['2026', { pin: '2026-07-28' }],
]

export interface McpClient {
  client: Client
  /** Calls a tool. `text` is the joined text of its result. */
  callTool(
    name: string,
    input?: object,
    options?: object,
  ): Promise<{ text: string; isError: boolean; result: Json }>
  close(): Promise<void>
}

/** Connects the official client to the deployment under test. */
export async function connect(
  mode: Revision = 'legacy',
  { key = teamKey(), url = inject('deployment').urls[0] ?? '' } = {},
): Promise<McpClient> {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return withTools(client)
}

export function withTools(client: Client): McpClient {
  return {
    client,
    async callTool(name, input = {}, options = {}) {
      const result: Json = await client.callTool(
        { name, arguments: { ...input } },
        { timeout: 50_000, ...options },
      )
      const text = result.content.map((part: Json) => part.text ?? '').join('\n')
      return { text, isError: result.isError === true, result }
    },
    close: () => client.close(),
  }
}

/** Returns the arguments of the call that returns the next part of a result. The text of the result names them. */
export function nextPartArguments(text: string): Json {
  const args = /To read on, call \w+ with (\{.*\})\./.exec(text)?.[1]
  if (args === undefined) throw new Error(`Nothing says how to read on:\n${text.slice(-300)}`)
  return JSON.parse(args)
}

/** Returns the text between the markers of untrusted page content. */
export function untrustedText(text: string): string {
  const fence = /\[begin text of the page (\w+)\]\n([\s\S]*?)\n\[end text of the page \1\]/g
  return [...text.matchAll(fence)].map(([, , content]) => content).join('\n')
}
