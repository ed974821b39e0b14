/** The process that started this one, noted before anything else is loaded: it may end while the rest loads. */
export const parentAtStart = process.ppid
