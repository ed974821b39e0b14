import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const folder = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url))
const read = (path: string) => readFileSync(folder + path, 'utf8')

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  spec: { template: { spec: PodSpec } }
}
interface PodSpec {
  containers: { env: { name: string; value?: string }[]; [probe: string]: unknown }[]
  volumes: { secret?: { items: { key: string }[] } }[]
}

const parts = ['base', 'with-stores']
const manifests = parts.flatMap((part) =>
  resourcesOf(part).flatMap((name) =>
    parseAllDocuments(read(`${part}/${name}`)).map((document) => document.toJS() as Manifest),
  ),
)

function resourcesOf(part: string): string[] {
  return parse(read(`${part}/kustomization.yaml`)).resources.filter((name: string) => name.endsWith('.yaml'))
}

const deployments = manifests.filter(({ kind }) => kind === 'Deployment')

describe('the manifests', () => {
  it.each(parts)('%s lists every file of its folder', (part) => {
    const files = readdirSync(folder + part).filter((name) => name !== 'kustomization.yaml')
    expect(resourcesOf(part).sort()).toEqual(files.sort())
  })

  it.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    '%s matches the schema of Kubernetes',
    async (_, manifest) => {
      const { apiVersion, kind } = manifest

      const modulePath = `kubernetes-models/${apiVersion}/${kind}`
      const module = await import(/* @vite-ignore */ modulePath)
      const model = new module[kind](manifest)
      expect(() => model.validate()).not.toThrow()
    },
  )

  it('have health probes that call the service', () => {
    const live = { httpGet: { path: '/health/live', port: 'http' } }
    const ready = { httpGet: { path: '/health/ready', port: 'http' } }
    for (const { spec } of deployments)
      expect(spec.template.spec.containers[0]).toMatchObject({
        ...{ startupProbe: live, livenessProbe: live, readinessProbe: ready },
      })
  })

  it('confine the service as the image tests do', () => {
    for (const { spec } of deployments)
      expect(spec.template.spec).toMatchObject({
        hostUsers: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'Localhost' } },
        containers: [
          {
            securityContext: {
              ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, procMount: 'Unmasked' },
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      })
  })

  it('mount each secret that a variable names', () => {
    for (const { spec } of deployments) {
      const { containers, volumes } = spec.template.spec
      const secretPaths = containers[0]?.env
        .filter(({ name }) => name.endsWith('_FILE'))
        .map(({ value }) => value)
      const mounted = volumes.flatMap(({ secret }) => secret?.items ?? []).map(({ key }) => key)
      expect(secretPaths).toEqual(mounted.map((key) => `/run/secrets/winnow/${key}`))
    }
  })
})
