import { fileURLToPath } from 'node:url'
import { onFreePort } from '../servers/free-port.ts'
import { image } from './build.ts'
import { podman } from './programs.ts'

export interface Container {
  url: string
  key: string
  /** Returns the output of a command in the container, run as the user of the image. */
  inside(...command: string[]): string
  logs(): string
  /** Stops the container as a container engine does. Returns its exit code. */
  stop(): string
  remove(): void
}

const profile = fileURLToPath(new URL('../../deploy/seccomp.json', import.meta.url))

/**
 * Flags with which docs/self-hosting.md starts the image: no capabilities, a read-only root file system, the seccomp
 * profile of deploy/.
 */
export const confinement = [
  '--cap-drop=all',
  '--read-only',
  '--tmpfs=/tmp',
  '--security-opt=no-new-privileges',
  `--security-opt=seccomp=${profile}`,
  '--security-opt=unmask=ALL',
]

const limits = ['nofile', 'nproc'].map((name) => `--ulimit=${name}=8192:8192`)

/** Starts the image in the network of this machine, so that the container can access the fixture site. */
export function startContainer(allowed: string): Promise<Container> {
  return onFreePort((port) => startAt(port, allowed))
}

async function startAt(port: number, allowed: string): Promise<Container> {
  const key = 'fc-key-of-the-image-test'
  const variables = { PORT: port, API_KEY: key, ALLOW_PRIVATE_NETWORK: allowed, LOG_FORMAT: 'json' }
  const environment = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  // Flags for machines without systemd, with both kinds of cgroups, or with low limits.
  const machineFlags = ['--network=host', '--no-healthcheck', ...limits]
  const options = ['--detach', '--stop-timeout=30', ...machineFlags, ...confinement, ...environment]
  const id = podman('run', ...options, image)
  const container: Container = {
    url: `http://127.0.0.1:${port}`,
    key,
    inside: (...command) => podman('exec', id, ...command),
    logs: () => podman('logs', id),
    stop: () => {
      podman('stop', id)
      return podman('inspect', '--format', '{{.State.ExitCode}}', id)
    },
    remove: () => void podman('rm', '--force', '--volumes', id),
  }
  await untilReady(container)
  return container
}

async function untilReady(container: Container): Promise<void> {
  const until = Date.now() + 90_000
  for (let lastResponse = 'nothing'; ; await new Promise((resolve) => setTimeout(resolve, 500))) {
    const response = await fetch(`${container.url}/health/ready`).catch(() => undefined)
    if (response?.ok) return
    lastResponse = (await response?.text()) ?? lastResponse
    if (Date.now() < until) continue
    const logs = container.logs()
    container.remove()
    throw new Error(`The container is not ready: ${lastResponse}\n${logs}`)
  }
}
