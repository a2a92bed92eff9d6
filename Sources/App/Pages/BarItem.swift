public import Controls
public import Navigation

// Conforms here because `Navigation`, which declares `BarItem`, does not import `Controls`.
extension Button: BarItem {}
