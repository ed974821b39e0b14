import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { inject } from 'vitest'
import { type Json, teamKey } from './api.ts'

/** The handshake of 2025 with its sessions, or the requests of 2026 that stand alone. */
export type Revision = 'legacy' | { pin: '2026-07-28' }

export const revisions: [string, Revision][] = [
  ['2025', 'legacy'],
  ['2026', { pin: '2026-07-28' }],
]

export interface McpClient {
  client: Client
  /** A tool's answer, its text joined. */
  use(
    name: string,
    input?: object,
    options?: object,
  ): Promise<{ text: string; isError: boolean; result: Json }>
  close(): Promise<void>
}

/** The official client, connected to the deployment under test. */
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
    async use(name, input = {}, options = {}) {
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

/** The arguments of the call that an answer names to read on. */
export function readOn(text: string): Json {
  const found = /To read on, call \w+ with (\{.*\})\./.exec(text)?.[1]
  if (found === undefined) throw new Error(`Nothing says how to read on:\n${text.slice(-300)}`)
  return JSON.parse(found)
}

/** What stands between the marks of strangers' text. */
export function fenced(text: string): string {
  const found = /\[begin text of the page (\w+)\]\n([\s\S]*?)\n\[end text of the page \1\]/g
  return [...text.matchAll(found)].map(([, , inside]) => inside).join('\n')
}
