# The ROS 2 wheels of PyPI export include folders of the machine that built them, which CMake refuses.
# Included right after each project() call, this drops those folders from the imported targets once the
# directory has been read; the installed files stay untouched. See requirements/README.md.
include_guard(DIRECTORY)

function(continua_drop_missing_includes)
  get_property(targets DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" PROPERTY IMPORTED_TARGETS)
  foreach(target IN LISTS targets)
    foreach(property INTERFACE_INCLUDE_DIRECTORIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES)
      get_target_property(folders ${target} ${property})
      if(folders)
        list(FILTER folders EXCLUDE REGEX "^/opt/python/cp")
        set_target_properties(${target} PROPERTIES ${property} "${folders}")
      endif()
    endforeach()
  endforeach()
endfunction()

cmake_language(DEFER CALL continua_drop_missing_includes)
