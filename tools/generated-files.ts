import { readFileSync } from 'node:fs'
import { openApi } from '../src/api/openapi.ts'
import { endpoints, v1Endpoints } from '../src/bootstrap/server.ts'
import { variables } from '../src/bootstrap/settings.ts'
import { version } from '../src/bootstrap/version.ts'
import { bounds } from '../src/platform/bounds.ts'
import { describeError, errorCodes } from '../src/platform/errors.ts'
import { clientTypes } from './client-types.ts'
import { pythonAsync, pythonAsyncFiles } from './python-async.ts'
import { pythonNames, pythonTypes } from './python-types.ts'

const pythonFolder = 'client/python/src/winnow_client'

/** Returns the files that are generated from the code, by path. A test fails when one of them is outdated. */
export function generatedFiles(): Record<string, string> {
  const api = openApi(endpoints, version)
  return {
    'docs/openapi.json': `${JSON.stringify(api, null, 2)}\n`,
    'docs/openapi-v1.json': `${JSON.stringify(openApi(v1Endpoints, version), null, 2)}\n`,
    'docs/errors.md': errorsPage(),
    'docs/configuration.md': configurationPage(),
    'docs/limits.md': limitsPage(),
    '.env.example': environmentExample(),
    'client/src/types.ts': clientTypes(api),
    [`${pythonFolder}/types.py`]: pythonTypes(api),
    [`${pythonFolder}/_names.py`]: pythonNames(api),
    ...Object.fromEntries(pythonAsyncFiles.map(pythonAsyncFile)),
  }
}

function pythonAsyncFile(name: string): [string, string] {
  const source = readFileSync(`${pythonFolder}/_sync/${name}.py`, 'utf8')
  return [`${pythonFolder}/_async/${name}.py`, pythonAsync(source)]
}

function errorsPage(): string {
  const rows = errorCodes
    .map((code) => ({ code, ...describeError(code) }))
    .sort((left, right) => left.status - right.status || left.code.localeCompare(right.code))
    .map(({ code, status, message }) => `| ${status} | \`${code}\` | ${message.replaceAll('|', '\\|')} |`)
  return `# Errors

Every error is \`{"success": false, "code": …, "error": …}\` with the status below. Some have more fields, such as
\`details\` (the problems of the request), \`phase\` (the phase in which a scrape failed), \`retryAfter\` (seconds),
\`hint\` (what to do) or \`id\` (the job that failed; \`GET /v2/jobs/{id}/trace\` says what it did).
The log line of the call has the same request id as the header \`x-request-id\`.

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

Limits of one request. The service rejects a request that exceeds a bound before it does any work: 400 \`BAD_REQUEST\` with the name of
the bound in \`error\` and \`bound\`, and its value in \`most\`. The limit for a whole body is a setting, \`MAX_REQUEST_MB\`; a larger body
fails with 413 \`REQUEST_TOO_LARGE\`. [configuration.md](configuration.md) lists the settings.

| Bound | Maximum | Limits |
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
    const displayed = schema.meta()?.shown
    const defaultText = 'defaultValue' in schema.def ? `\`${String(schema.def.defaultValue)}\`` : 'none'
    return {
      name,
      fallback: typeof displayed === 'string' ? displayed : defaultText,
      meaning: schema.description ?? '',
    }
  })
}

function configurationPage(): string {
  const rows = listVariables().map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback} | ${meaning} |`,
  )
  return `# Configuration

Environment variables; the service runs with none of them set. If values are invalid, the service does not start and lists all
problems at once. An empty variable counts as not set. \`NAME_FILE\` names a file that holds the value of the variable NAME, for secrets
that an engine mounts: \`API_KEY_FILE=/run/secrets/api-key\`.

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
