/** Id of the parent process. Read before other code is loaded, because the parent may end while the rest loads. */
export const parentAtStart = process.ppid
