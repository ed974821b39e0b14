import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { bounds } from '../base/bounds.ts'
import { describeError, errorCodes } from '../base/errors.ts'
import { endpoints } from '../compose.ts'
import { clientTypes } from '../http/client-types.ts'
import { openApi } from '../http/openapi.ts'
import { variables } from '../settings.ts'
import { version } from '../version.ts'

/** Files of the repository that follow from the code; a test fails when one of them is behind. */
export function generatedFiles(): Record<string, string> {
  const api = openApi(endpoints, version)
  return {
    'docs/openapi.json': `${JSON.stringify(api, null, 2)}\n`,
    'docs/errors.md': errorsPage(),
    'docs/configuration.md': configurationPage(),
    'docs/limits.md': limitsPage(),
    '.env.example': environmentExample(),
    'client/src/types.ts': clientTypes(api),
  }
}

export async function generate(): Promise<void> {
  for (const [path, text] of Object.entries(generatedFiles())) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    process.stdout.write(`${path}\n`)
  }
}

function errorsPage(): string {
  const rows = errorCodes
    .map((code) => ({ code, ...describeError(code) }))
    .sort((left, right) => left.status - right.status || left.code.localeCompare(right.code))
    .map(({ code, status, message }) => `| ${status} | \`${code}\` | ${message.replaceAll('|', '\\|')} |`)
  return `# Errors

Every error is \`{"success": false, "code": …, "error": …}\` with the status below; some carry more fields, such as
\`details\` (what was wrong with the request), \`phase\` (where a scrape was when it failed) or \`retryAfter\` (seconds).
The request id of the header \`x-request-id\` leads to the log line.

| Status | Code | Message |
|---|---|---|
${rows.join('\n')}
`
}

function limitsPage(): string {
  const rows = Object.entries(bounds).map(
    ([name, { most, unit, of }]) => `| \`${name}\` | ${most.toLocaleString('en')} ${unit} | ${of} |`,
  )
  return `# Limits

What one call may send. What is beyond a bound is refused before anything is done with it: 400 \`BAD_REQUEST\` with the name of
the bound in \`error\` and \`bound\`, and its value in \`most\`. The size of a whole body is a setting, \`MAX_REQUEST_MB\`, and is
refused with 413 \`REQUEST_TOO_LARGE\`; settings stand in [configuration.md](configuration.md).

| Bound | Most | Of |
|---|---|---|
${rows.join('\n')}
`
}

interface Variable {
  name: string
  fallback: string
  meaning: string
}

function listVariables(): Variable[] {
  return Object.entries(variables.shape).map(([name, schema]) => {
    const shown = schema.meta()?.shown
    const byDefault = 'defaultValue' in schema.def ? `\`${String(schema.def.defaultValue)}\`` : 'none'
    return {
      name,
      fallback: typeof shown === 'string' ? shown : byDefault,
      meaning: schema.description ?? '',
    }
  })
}

function configurationPage(): string {
  const rows = listVariables().map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback} | ${meaning} |`,
  )
  return `# Configuration

Environment variables; with none set the service runs. A wrong value stops the start and all problems are listed at
once. An empty variable counts as not set.

| Variable | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`
}

function environmentExample(): string {
  const blocks = listVariables().map(
    ({ name, fallback, meaning }) => `# ${meaning} Default: ${fallback.replaceAll('`', '')}.\n# ${name}=`,
  )
  return `${blocks.join('\n\n')}\n`
}
