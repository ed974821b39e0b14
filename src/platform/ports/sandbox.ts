import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'

export interface Sandbox {
  start(program: SandboxedProgram): Promise<SandboxedProcess>
}

export interface SandboxedProgram {
  /** Paths inside the sandbox. */
  command: string[]
  environment: Record<string, string>
  /** Readable in addition to the system's programs and fonts. */
  readable: { from: string; to: string }[]
  /** Loopback ports of the sandbox; the service gets their connections. There is no other network. */
  ports: SandboxPort[]
  /** Two-way channels, as file descriptors 3 and up. */
  channels: number
  limits: SandboxLimits
  /** True for a browser. Other programs must not be able to create a sandbox. */
  nestsSandboxes: boolean
}

export interface SandboxPort {
  port: number
  /** Further connections are rejected; a program that keeps trying is ended. */
  maxConnections: number
  onConnection(socket: Socket): void
}

export interface SandboxLimits {
  /** Of all processes together, including kernel memory. */
  megabytes: number
  /** Memory that one process may reserve for data, used or not; Node itself reserves 600 MB. */
  processMegabytes?: number
  threads: number
  openFiles?: number
  /** Per writable folder. Files are in memory and disappear with the sandbox. */
  filesMegabytes: number
  files: number
}

export interface SandboxedProcess {
  stdout: Readable
  stderr: Readable
  channels: Duplex[]
  ended: Promise<SandboxEnd>
  residentMegabytes(): number
  kill(): Promise<void>
}

export interface SandboxEnd {
  exitCode: number | null
  exceeded?: Exceeded
}

export interface Exceeded {
  limit: 'memory' | 'files' | 'connections'
  max: number
}
