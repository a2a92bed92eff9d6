public import GlissadeControls
public import GlissadeNavigation

// The conformance is here because `Navigation`, which declares `BarItem`, does not import `Controls`. As both types are
// public, so is the conformance.
extension Button: BarItem {}
