import { runMcpBridge } from './mcp-bridge.ts'

const { WINNOW_URL = 'http://127.0.0.1:3002', WINNOW_API_KEY } = process.env
const { stdin, stdout, stderr } = process

await runMcpBridge({ baseUrl: WINNOW_URL, apiKey: WINNOW_API_KEY, stdin, stdout, stderr })
