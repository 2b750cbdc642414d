// Tells whether this processor runs the x86-64-v3 variant. Plain C API: this file is loaded before any variant.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject* supports_v3(PyObject*, PyObject*) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
    return PyBool_FromLong(v3);
#else
    Py_RETURN_FALSE;
#endif
}

static PyMethodDef methods[] = {
    {"supports_v3", supports_v3, METH_NOARGS, "True where the processor has AVX2, BMI1, BMI2, FMA and POPCNT."},
    {nullptr, nullptr, 0, nullptr},
};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_cpu", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

PyMODINIT_FUNC PyInit__cpu() { return PyModule_Create(&module); }
