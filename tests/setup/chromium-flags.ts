/**
 * What the browser does without. Given twice this switch counts once, the last time: so what the driver turns off for
 * steady tests stands here as well.
 */
const unusedFeatures = [
  // A window's address bar would start a page of its own beside each page under test, a third of all the work.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // What painting, navigation and storage do otherwise than a test expects.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  // What asks other machines.
  'AimEnabled',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PreconnectToSearch',
];

/** For a Chromium that no person looks at: no sandbox, since tests may run as root, and nothing sent anywhere. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${unusedFeatures.join(',')}`,
];
