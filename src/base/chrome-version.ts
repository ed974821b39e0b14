/** The version that we claim where no browser runs that has one; sites turn away versions that are too old. */
export const chromeVersion = '156.0.0.0'
