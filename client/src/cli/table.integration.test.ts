import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Option } from './command.ts'
import { flatten } from './completion/bash.ts'
import { commandsPage } from './docs-page.ts'
import { generalOptions } from './options.ts'
import { commands } from './table.ts'

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  allOf?: Schema[]
  anyOf?: Schema[]
}

const api = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))

/** API call of each command, by the path of the command in the table. */
const apiCalls: Record<string, [string, string]> = {
  scrape: ['post', '/v2/scrape'],
  parse: ['post', '/v2/parse'],
  search: ['post', '/v2/search'],
  map: ['post', '/v2/map'],
  crawl: ['post', '/v2/crawl'],
  batch: ['post', '/v2/batch/scrape'],
  extract: ['post', '/v2/extract'],
  ask: ['post', '/v2/support/ask'],
  'browser open': ['post', '/v2/browser'],
  'browser list': ['get', '/v2/browser'],
  'browser run': ['post', '/v2/browser/{id}/execute'],
  interact: ['post', '/v2/scrape/{id}/interact'],
  activity: ['get', '/v2/team/activity'],
}

function listFields(method: string, path: string): Set<string> {
  const { parameters = [], requestBody } = api.paths[path][method]
  const names = parameters.map(({ name }: { name: string }) => name)
  const schemas: { schema: Schema }[] = Object.values(requestBody?.content ?? {})
  return new Set([...names, ...schemas.flatMap(({ schema }) => listNames(schema, '', 0))])
}

function listNames(schemaOrRef: Schema, prefix: string, depth: number): string[] {
  const schema: Schema = schemaOrRef.$ref
    ? api.components.schemas[schemaOrRef.$ref.split('/').at(-1) ?? '']
    : schemaOrRef
  const composedSchemas = [
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schemaOrRef.$ref ? (schemaOrRef.allOf ?? []) : []),
  ]
  const ownNames = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    `${prefix}${name}`,
    ...(depth < 3 ? listNames(property, `${prefix}${name}.`, depth + 1) : []),
  ])
  // An upload contains its options as JSON in a form field.
  return [...ownNames, ...composedSchemas.flatMap((part) => listNames(part, prefix, depth + 1))].map((name) =>
    name.replace(/^options\./, ''),
  )
}

describe('commands', () => {
  const entries = flatten(commands)

  it.each(entries.map(({ path, command }) => [path, command] as const))(
    '%s has only options that the service supports',
    (path, { options = [] }) => {
      const fields = options.flatMap(({ field }: Option) => field ?? [])
      const apiCall = apiCalls[path]
      const supported = apiCall ? listFields(...apiCall) : new Set<string>()
      expect(fields.filter((field) => !supported.has(field))).toEqual([])
    },
  )

  it.each(entries.map(({ path, command }) => [path, command] as const))(
    '%s has unique option names',
    (_, { options = [] }) => {
      const names = [...generalOptions, ...options].flatMap(({ name, short }) =>
        short ? [name, short] : [name],
      )
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    },
  )

  it('lists every format of the service that requires no options', () => {
    const scrape = commands.find(({ name }) => name === 'scrape')
    const choices = scrape?.options?.find(({ name }) => name === 'format')?.choices ?? []
    const { schemas } = api.components
    const [nameSchema] = schemas.Format.anyOf
    const isRemoved = (name: string) =>
      schemas[`${name.charAt(0).toUpperCase()}${name.slice(1)}Format`].deprecated === true
    const offered = nameSchema.enum.filter((name: string) => !isRemoved(name))
    expect([...choices].sort()).toEqual(offered)
  })

  it('matches docs/cli.md', async () => {
    const page = readFileSync('docs/cli.md', 'utf8')
    await expect(commandsPage(page)).toMatchFileSnapshot('../../../docs/cli.md')
  })
})
