import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiPath, apiUrl } from './api-path.ts'

const base = 'http://127.0.0.1:3002'

describe('apiPath', () => {
  it.each([
    ['0190-a', '/v2/jobs/0190-a/trace'],
    ['../operator/keys', '/v2/jobs/..%2Foperator%2Fkeys/trace'],
    ['..%2Foperator', '/v2/jobs/..%252Foperator/trace'],
    ['%2e%2e', '/v2/jobs/%252e%252e/trace'],
    ['a?b#c\\d', '/v2/jobs/a%3Fb%23c%5Cd/trace'],
    ['\ud800', '/v2/jobs/%EF%BF%BD/trace'],
    ['...', '/v2/jobs/.../trace'],
  ])('encodes %j as one path segment', (id, path) => {
    expect(apiPath('/v2/jobs/{id}/trace', { id })).toBe(path)
    expect(apiUrl(base, path).pathname).toBe(path)
  })

  it.each(['', '.', '..'])('throws for %j', (id) => {
    expect(() => apiPath('/v2/crawl/{id}', { id })).toThrow(TypeError)
  })
})

describe('apiUrl', () => {
  it.each(['/v2/jobs/../operator/keys', '/v2/jobs/./x', '/v2/a b', '/v2/%2e%2e/x', '/v2/x?y', '@host/'])(
    'throws for %j',
    (path) => expect(() => apiUrl(base, path)).toThrow(TypeError),
  )

  it('keeps the path of the base URL', () => {
    expect(apiUrl('http://host/winnow', '/v2/team/me').href).toBe('http://host/winnow/v2/team/me')
  })
})

it('the client and the console build API paths only with apiPath', () => {
  const root = join(import.meta.dirname, '../..')
  const files = globSync(['client/src/**/*.ts', 'console/src/**/*.{ts,tsx}'], { cwd: root })
  const manualPath =
    /`[^`\n]*(?:\/v[12]\/[^`\n]*|kind\]\.path\}\/)\$\{(?!kind\}[`/])[^`\n]*`|encodeURIComponent\(\w*(?:id|Id|name)\b/
  const violations = files
    .filter((file) => !file.endsWith('.test.ts') && file !== 'client/src/api-path.ts')
    .filter((file) => manualPath.test(readFileSync(join(root, file), 'utf8')))
  expect(violations).toEqual([])
})
