import { lstatSync, readlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SandboxedProgram } from '../../ports/sandbox.ts'

export interface Places {
  /** The Node that opens the ports inside. */
  node: string
  /** Folders that must not be seen inside although they lie in the system's. */
  hidden: string[]
}

export interface Descriptors {
  /** Where the ports are handed over, until the program starts. */
  ipc: number
  seccomp: number
  options: number
}

export interface SandboxArguments {
  /** Named on the command line, which every process inside can read. */
  shown: string[]
  /** Handed over by a descriptor, for they name places of this machine. */
  hidden: string[]
}

/** Who the program is inside: a user of its own where the service is root, else the service's user in a namespace. */
export type Identity = { uid: number } | 'own-namespace'

const inside = (name: string) => fileURLToPath(new URL(`./inside/${name}`, import.meta.url))

/** All that is said to bubblewrap; pure but for a look at how the system's folders are linked. */
export function sandboxArguments(
  program: SandboxedProgram,
  { places, identity, descriptors }: { places: Places; identity: Identity; descriptors: Descriptors },
): SandboxArguments {
  const hidden = [
    ...isolation(identity),
    ...system(),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...ownFiles('/tmp', program.limits.filesMegabytes),
    ...ownFiles('/dev/shm', program.limits.filesMegabytes),
    ...readOnly(places.node, '/run/winnow/node'),
    ...readOnly(inside('open-ports.mjs'), '/run/winnow/open-ports.mjs'),
    ...program.readable.flatMap(({ from, to }) => readOnly(from, to)),
    ...places.hidden.filter((path) => path.startsWith('/usr/')).flatMap((path) => ['--tmpfs', path]),
    // Without it, a program that owns the namespace could fill the memory behind the root folder.
    ...['--remount-ro', '/'],
    ...['--chdir', '/tmp', '--clearenv'],
    ...Object.entries(program.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--seccomp', String(descriptors.seccomp)],
  ]
  const start = [...become(identity), ...openPorts(program, descriptors), ...limits(program)]
  return { hidden, shown: ['--args', String(descriptors.options), '--', ...start, ...program.command] }
}

function isolation(identity: Identity): string[] {
  const apart = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try']
  const all = [...apart, '--die-with-parent', '--new-session', '--hostname', 'sandbox', '--cap-drop', 'ALL']
  if (identity === 'own-namespace') return [...all, '--unshare-user', '--uid', '1000', '--gid', '1000']
  // Root needs these three for a moment, to become somebody else and to lose the rest.
  return [...all, ...['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name])]
}

/** The programs of the system, read-only, with as little of /etc as programs and fonts need. */
function system(): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap(asOnHost),
    ...folder('/etc'),
    ...['fonts', 'alternatives', 'ld.so.cache', 'localtime', 'mime.types'].flatMap((name) => [
      ...['--ro-bind-try', `/etc/${name}`, `/etc/${name}`],
    ]),
    ...['--ro-bind', inside('hosts'), '/etc/hosts'],
    ...folder('/run'),
    ...folder('/run/winnow'),
  ]
}

/** On most systems these are links into /usr, on some they are folders, on others they are missing. */
function asOnHost(path: string): string[] {
  try {
    return lstatSync(path).isSymbolicLink()
      ? ['--symlink', readlinkSync(path), path]
      : ['--ro-bind', path, path]
  } catch {
    return []
  }
}

// Folders that bubblewrap makes by itself on the way to another are closed to all but root.
const folder = (path: string) => ['--perms', '0755', '--dir', path]

const readOnly = (from: string, to: string) => ['--ro-bind', from, to]

function ownFiles(path: string, megabytes: number): string[] {
  return ['--perms', '1777', '--size', String(megabytes * 1024 * 1024), '--tmpfs', path]
}

function become(identity: Identity): string[] {
  if (identity === 'own-namespace') return []
  const user = String(identity.uid)
  return [
    ...['setpriv', '--reuid', user, '--regid', user, '--clear-groups'],
    ...['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'],
  ]
}

function limits({ limits: { threads, processMegabytes }, nestsSandboxes }: SandboxedProgram): string[] {
  // A limit on addresses would stop V8 at its start, which reserves far more than it uses; one on data does not.
  const memory = processMegabytes === undefined ? [] : [`--data=${processMegabytes * 1024 * 1024}`]
  const set = ['prlimit', '--core=0', `--nproc=${threads}`, ...memory, '--']
  // Code of callers gives way to the service that serves them; a browser does not, for people wait for it.
  return nestsSandboxes ? set : [...set, 'nice', '-n', '5']
}

/**
 * The ports are handed over, every channel that is not the program's is closed, and only then does it start. Not only
 * ours are: what the service itself was started with could be open here too.
 */
function openPorts({ ports, channels }: SandboxedProgram, { ipc }: Descriptors): string[] {
  const list = ports.map(({ port }) => port).join(' ')
  const open = `NODE_CHANNEL_FD=${ipc} /run/winnow/node /run/winnow/open-ports.mjs ${list} || exit 125`
  const close = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; if ((fd > ${2 + channels})); then eval "exec $fd<&-"; fi; done`
  return ['bash', '-c', `${ports.length > 0 ? `${open}; ` : ''}${close}; exec "$@"`, 'sandbox']
}
