import { jsonFile } from '../json/json.ts'

/**
 * A system call filter, as the program that the kernel runs before each call. A sandboxed program keeps the calls of ordinary
 * programs and loses those that help to escape: new namespaces, mounts, tracing, keys, and kinds of
 * sockets that a network namespace does not confine. It also loses calls that allocate memory outside of any process,
 * which could not be counted.
 */
export function seccompFilter(
  architecture: string,
  program: { nestsSandboxes: boolean },
): Buffer | undefined {
  const numbers = numbersOf()[architecture]
  if (!numbers) return undefined
  const denied = program.nestsSandboxes ? neverAllowed : [...neverAllowed, ...notForCode]
  return assemble([
    load(architectureOffset),
    ...unless(jumpEqual, numbers.architecture, [answer(killProcess)]),
    load(numberOffset),
    // The second set of numbers that 64-bit Intel kernels accept would pass every comparison below.
    ...when(jumpAtLeast, secondSet, [answer(failing(notPermitted))]),
    ...denied.flatMap((name) => when(jumpEqual, numbers.calls[name], [answer(failing(notPermitted))])),
    ...(program.nestsSandboxes ? [] : keepNamespaces(numbers)),
    ...when(jumpEqual, numbers.calls.socket, [
      load(firstArgumentOffset),
      ...socketFamilies.flatMap((family) => when(jumpEqual, family, [answer(allow)])),
      answer(failing(familyNotSupported)),
    ]),
    answer(allow),
  ])
}

/** The same call creates threads and namespaces; its flags distinguish them. The newer call passes the flags in memory, where a filter cannot read them. */
function keepNamespaces(numbers: CallNumbers): Instruction[] {
  return [
    ...when(jumpEqual, numbers.calls.clone3, [answer(failing(notImplemented))]),
    ...when(jumpEqual, numbers.calls.clone, [
      load(firstArgumentOffset),
      ...when(jumpAnyBit, namespaceFlags, [answer(failing(notPermitted))]),
      answer(allow),
    ]),
    // Only a mount namespace: for the start of the sandbox. The kernel denies it to all programs without capabilities.
    ...when(jumpEqual, numbers.calls.unshare, [
      load(firstArgumentOffset),
      ...when(jumpEqual, namespaceOfMounts, [answer(allow)]),
      answer(failing(notPermitted)),
    ]),
    ...keepBuffers(numbers),
  ]
}

/**
 * Socket buffers keep the size that the system chooses, so that counting sockets means counting memory. A request for
 * more succeeds without effect, as it does in the kernel at its maximum.
 */
function keepBuffers(numbers: CallNumbers): Instruction[] {
  return when(jumpEqual, numbers.calls.setsockopt, [
    load(secondArgumentOffset),
    ...unless(jumpEqual, socketLevel, [answer(allow)]),
    load(thirdArgumentOffset),
    ...bufferOptions.flatMap((option) => when(jumpEqual, option, [answer(failing(0))])),
    answer(allow),
  ])
}

type CallName =
  | (typeof neverAllowed)[number]
  | (typeof notForCode)[number]
  | (typeof judgedByArguments)[number]

export interface CallNumbers {
  architecture: number
  calls: Record<CallName, number>
}

const neverAllowed = [
  'mount',
  'umount2',
  'pivot_root',
  'open_tree',
  'move_mount',
  'fsopen',
  'fsmount',
  'mount_setattr',
  'setns',
  'swapon',
  'reboot',
  'init_module',
  'finit_module',
  'kexec_load',
  'bpf',
  'perf_event_open',
  'userfaultfd',
  'io_uring_setup',
  'open_by_handle_at',
  'add_key',
  'request_key',
  'keyctl',
  'process_vm_readv',
  'process_vm_writev',
  'pidfd_getfd',
  // Their memory is not counted for any process.
  'shmget',
  'msgget',
  'semget',
  'mq_open',
  'memfd_create',
  'memfd_secret',
  // They reveal mounts, which contain paths of this machine.
  'statmount',
  'listmount',
] as const

/** A browser needs it for its own sandbox. */
const notForCode = ['ptrace'] as const

const judgedByArguments = ['clone', 'clone3', 'socket', 'unshare', 'setsockopt'] as const

const numbersOf = jsonFile<Record<string, CallNumbers>>(new URL('./system-calls.json', import.meta.url))

/** Local sockets, both internet protocols (which end at the namespace's own loopback), and questions about the namespace. */
const socketFamilies = [1, 2, 10, 16]

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const namespaceFlags = 0x7e020000
/** CLONE_NEWNS, and no other flag. */
const namespaceOfMounts = 0x00020000
const socketLevel = 1
/** SO_SNDBUF, SO_RCVBUF and the two that force them. */
const bufferOptions = [7, 8, 32, 33]
const secondSet = 0x40000000

const notPermitted = 1
const notImplemented = 38
const familyNotSupported = 97
const allow = 0x7fff0000
const killProcess = 0x80000000
const failing = (errorNumber: number) => 0x00050000 | errorNumber

const numberOffset = 0
const architectureOffset = 4
// The low halves of the arguments; both architectures store them first.
const firstArgumentOffset = 16
const secondArgumentOffset = 24
const thirdArgumentOffset = 32

interface Instruction {
  code: number
  onTrue: number
  onFalse: number
  value: number
}

const load = (offset: number): Instruction => ({ code: 0x20, onTrue: 0, onFalse: 0, value: offset })
const answer = (value: number): Instruction => ({ code: 0x06, onTrue: 0, onFalse: 0, value })

const jumpEqual = 0x15
const jumpAtLeast = 0x35
const jumpAnyBit = 0x45

function when(code: number, value: number, then: Instruction[]): Instruction[] {
  return [{ code, onTrue: 0, onFalse: then.length, value }, ...then]
}

function unless(code: number, value: number, then: Instruction[]): Instruction[] {
  return [{ code, onTrue: then.length, onFalse: 0, value }, ...then]
}

function assemble(program: Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, { code, onTrue, onFalse, value }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(onTrue, index * 8 + 2)
    bytes.writeUInt8(onFalse, index * 8 + 3)
    bytes.writeUInt32LE(value, index * 8 + 4)
  }
  return bytes
}
