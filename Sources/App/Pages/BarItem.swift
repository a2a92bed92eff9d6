public import Controls
public import Navigation

// Navigation bars take any item that has a layer, as `Navigation` does not import `Controls`.
extension Button: BarItem {}
