import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type McpClient, withTools } from './mcp.ts'

const programOf = (name: string) =>
  fileURLToPath(new URL(`../node_modules/${name}/dist/index.js`, import.meta.url))

/** URL and key of the service for a published program, and a folder that replaces the user's home. */
export interface ProgramSettings {
  url: string
  key: string
  home: string
}

const environmentOf = ({ url, key, home }: ProgramSettings) => ({
  PATH: process.env.PATH ?? '',
  ...{ HOME: home, FIRECRAWL_NO_TELEMETRY: '1', NO_COLOR: '1' },
  ...{ FIRECRAWL_API_URL: url, FIRECRAWL_API_KEY: key },
})

/** Starts the published MCP server as a client of it does. */
export async function startPublishedTools(settings: ProgramSettings): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' })
  const args = [programOf('firecrawl-mcp')]
  const program = { command: process.execPath, args, env: environmentOf(settings), stderr: 'ignore' as const }
  await client.connect(new StdioClientTransport(program))
  return withTools(client)
}

export interface RunResult {
  code: number
  out: string
  /** Everything printed, including messages for people. */
  all: string
}

/** Runs the published command line to its end, without the settings of this machine. */
export async function runPublishedCli(
  settings: ProgramSettings,
  args: string[],
  changes: object = {},
): Promise<RunResult> {
  const child = spawn(process.execPath, [programOf('firecrawl-cli'), ...args], {
    ...{
      cwd: settings.home,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environmentOf(settings), ...changes },
    },
  })
  let [out, all] = ['', '']
  child.stdout?.on('data', (part) => {
    out += part
    all += part
  })
  child.stderr?.on('data', (part) => (all += part))
  const [code] = await once(child, 'close')
  return { code, out, all }
}
