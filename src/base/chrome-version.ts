/** The version to send when no browser runs whose version could be used; sites reject versions that are too old. */
export const chromeVersion = '156.0.0.0'
