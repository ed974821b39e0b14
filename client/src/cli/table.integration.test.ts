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

/** What a command sends, by its path in the table. */
const sent: Record<string, [string, string]> = {
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

function fieldsOf(method: string, path: string): Set<string> {
  const { parameters = [], requestBody } = api.paths[path][method]
  const names = parameters.map(({ name }: { name: string }) => name)
  const schemas: { schema: Schema }[] = Object.values(requestBody?.content ?? {})
  return new Set([...names, ...schemas.flatMap(({ schema }) => namesIn(schema, '', 0))])
}

function namesIn(given: Schema, before: string, depth: number): string[] {
  const schema: Schema = given.$ref ? api.components.schemas[given.$ref.split('/').at(-1) ?? ''] : given
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(given.$ref ? (given.allOf ?? []) : [])]
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, within]) => [
    `${before}${name}`,
    ...(depth < 3 ? namesIn(within, `${before}${name}.`, depth + 1) : []),
  ])
  // The options of an upload are JSON in a field of a form.
  return [...own, ...parts.flatMap((part) => namesIn(part, before, depth + 1))].map((name) =>
    name.replace(/^options\./, ''),
  )
}

describe('the table of commands', () => {
  const entries = flatten(commands)

  it.each(entries.map(({ path, command }) => [path, command] as const))(
    '%s has options that the service knows',
    (path, { options = [] }) => {
      const wanted = options.flatMap(({ field }: Option) => field ?? [])
      const call = sent[path]
      const known = call ? fieldsOf(...call) : new Set<string>()
      expect(wanted.filter((field) => !known.has(field))).toEqual([])
    },
  )

  it.each(entries.map(({ path, command }) => [path, command] as const))(
    '%s has each name once',
    (_, { options = [] }) => {
      const names = [...generalOptions, ...options].flatMap(({ name, short }) =>
        short ? [name, short] : [name],
      )
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    },
  )

  it('names every format of the service that needs no options', () => {
    const scrape = commands.find(({ name }) => name === 'scrape')
    const choices = scrape?.options?.find(({ name }) => name === 'format')?.choices ?? []
    const { schemas } = api.components
    const [bare] = schemas.Format.anyOf
    const isRemoved = (name: string) =>
      schemas[`${name.charAt(0).toUpperCase()}${name.slice(1)}Format`].deprecated === true
    const offered = bare.enum.filter((name: string) => !isRemoved(name))
    expect([...choices].sort()).toEqual(offered)
  })

  it('is what docs/cli.md says', async () => {
    const page = readFileSync('docs/cli.md', 'utf8')
    await expect(commandsPage(page)).toMatchFileSnapshot('../../../docs/cli.md')
  })
})
