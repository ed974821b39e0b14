import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DCLinter } from 'dclint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const file = fileURLToPath(new URL('../../compose.yaml', import.meta.url))
const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

interface Service {
  image: string
  environment: Record<string, string>
  healthcheck?: { test: string[] }
  secrets?: string[]
  env_file?: string[]
  security_opt: string[]
}
const compose: { services: Record<string, Service>; secrets: Record<string, { file: string }> } = parse(
  text('compose.yaml'),
  { merge: true },
)
const services = Object.entries(compose.services)

describe('compose.yaml', () => {
  it('has no errors according to its linter', () => {
    const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] })
    // The linter's types do not resolve with the settings of this repository.
    const results: { messages: { rule: string; message: string }[] }[] = linter.lintFiles([file], false)
    const problems = results.flatMap(({ messages }) => messages)
    // All other rules are about forbidden names or public ports. These rules are about the order of keys and about
    // quotes.
    const styleRules = /order$|^no-quotes-in-volumes$|^require-quotes-in-ports$/
    expect(problems.filter(({ rule }) => !styleRules.test(rule))).toEqual([])
  })

  it('has a health check for every service', () => {
    expect(services.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name)).toEqual([])
  })

  it('reads every secret from a file that make-secrets.sh writes, and none from the environment', () => {
    const script = text('deploy/make-secrets.sh')
    const writtenFiles = [...script.matchAll(/^write (\S+)/gm)].map(([, name]) => `secrets/${name}`)
    const read = [
      ...Object.values(compose.secrets).map((secret) => secret.file),
      ...services.flatMap(([, service]) => service.env_file ?? []),
    ]
    expect(read.sort()).toEqual(writtenFiles.sort())
    const values = services.flatMap(([, { environment }]) => Object.entries(environment))
    const secrets = values.filter(([name]) => /(PASSWORD|SECRET|KEY|DATABASE_URL)/.test(name))
    expect(secrets.filter(([name]) => !/(_FILE|_KEY_ID)$/.test(name))).toEqual([])
  })

  it('confines the services as the image tests do', () => {
    for (const name of ['api', 'worker']) {
      expect(compose.services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
      expect(compose.services[name]?.security_opt).toEqual(
        expect.arrayContaining(['no-new-privileges:true', 'seccomp:deploy/seccomp.json']),
      )
    }
  })
})
